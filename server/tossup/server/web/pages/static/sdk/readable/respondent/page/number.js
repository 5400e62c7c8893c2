import {
  field,
  read
} from "../shared/77RSJTBO.js";
import"../page/page.js";
export {
  field,
  read
};
