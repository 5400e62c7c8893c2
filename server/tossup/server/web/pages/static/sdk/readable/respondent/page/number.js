import {
  field,
  read
} from "../shared/QBFWVEDC.js";
import"../page/page.js";
export {
  field,
  read
};
