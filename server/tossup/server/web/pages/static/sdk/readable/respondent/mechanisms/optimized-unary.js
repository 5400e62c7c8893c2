import {
  fromSpec
} from "../shared/QQLT6PFD.js";
import "../shared/Q6IJI2SH.js";
import "../shared/M3P4WGVB.js";
import "../shared/ILRTPO4M.js";
import "../shared/ZAAYOKEC.js";
import"../page/page.js";
export {
  fromSpec
};
