import {
  fromSpec
} from "../shared/3FQAH2V6.js";
import "../shared/X5OIAOYN.js";
import "../shared/M3P4WGVB.js";
import "../shared/ILRTPO4M.js";
import "../shared/3YUBTFZ7.js";
import"../page/page.js";
export {
  fromSpec
};
