import {
  field,
  read
} from "../shared/J36MAYY6.js";
import"../page/page.js";
export {
  field,
  read
};
