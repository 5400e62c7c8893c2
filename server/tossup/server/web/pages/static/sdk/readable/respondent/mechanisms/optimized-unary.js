import {
  fromSpec
} from "../shared/6EF4EALI.js";
import "../shared/F62LVBJI.js";
import "../shared/M3P4WGVB.js";
import "../shared/ILRTPO4M.js";
import "../shared/HRRUQ74D.js";
import"../page/page.js";
export {
  fromSpec
};
