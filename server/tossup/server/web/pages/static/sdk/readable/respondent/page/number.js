import {
  field,
  read
} from "../shared/RZFBZDWS.js";
import"../page/page.js";
export {
  field,
  read
};
