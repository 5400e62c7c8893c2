import {
  fromSpec
} from "../shared/WBCP77ZQ.js";
import "../shared/BCA6E7JP.js";
import "../shared/M3P4WGVB.js";
import "../shared/ILRTPO4M.js";
import "../shared/NOKLIKL7.js";
import"../page/page.js";
export {
  fromSpec
};
