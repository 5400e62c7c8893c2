import {
  field,
  read
} from "../shared/SIKTFGWC.js";
import"../page/page.js";
export {
  field,
  read
};
