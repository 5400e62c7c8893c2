import {
  field,
  read
} from "../shared/52BXPRLC.js";
import"../page/page.js";
export {
  field,
  read
};
