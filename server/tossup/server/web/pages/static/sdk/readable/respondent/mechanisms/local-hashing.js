import {
  fromSpec
} from "../shared/7XGYTLWN.js";
import "../shared/6SXYSUVN.js";
import "../shared/M3P4WGVB.js";
import "../shared/ILRTPO4M.js";
import "../shared/C3ZFIKGH.js";
import"../page/page.js";
export {
  fromSpec
};
