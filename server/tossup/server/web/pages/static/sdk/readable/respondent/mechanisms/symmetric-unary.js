import {
  fromSpec
} from "../shared/K7HEJ4Z5.js";
import "../shared/QCWHOFSE.js";
import "../shared/M3P4WGVB.js";
import "../shared/ILRTPO4M.js";
import "../shared/W7JX4ZXR.js";
import"../page/page.js";
export {
  fromSpec
};
