import {
  fromSpec
} from "../shared/KKFR2K3R.js";
import "../shared/F62LVBJI.js";
import "../shared/M3P4WGVB.js";
import "../shared/ILRTPO4M.js";
import "../shared/HRRUQ74D.js";
import"../page/page.js";
export {
  fromSpec
};
