import {
  fromSpec
} from "../shared/U3ZQQAO4.js";
import "../shared/5S6FVKE5.js";
import "../shared/M3P4WGVB.js";
import "../shared/ILRTPO4M.js";
import "../shared/WH7GYDMH.js";
import"../page/page.js";
export {
  fromSpec
};
