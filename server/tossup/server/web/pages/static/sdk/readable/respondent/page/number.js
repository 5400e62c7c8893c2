import {
  field,
  read
} from "../shared/JTDRW3M5.js";
import"../page/page.js";
export {
  field,
  read
};
