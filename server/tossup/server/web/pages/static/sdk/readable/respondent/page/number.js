import {
  field,
  read
} from "../shared/TTVJD7L3.js";
import"../page/page.js";
export {
  field,
  read
};
