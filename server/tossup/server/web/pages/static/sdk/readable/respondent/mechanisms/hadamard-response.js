import {
  fromSpec
} from "../shared/5CLPXR2E.js";
import "../shared/2U3ZSSGR.js";
import "../shared/M3P4WGVB.js";
import "../shared/ILRTPO4M.js";
import "../shared/BKIISGPW.js";
import"../page/page.js";
export {
  fromSpec
};
