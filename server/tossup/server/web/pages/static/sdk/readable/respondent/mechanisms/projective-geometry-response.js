import {
  fromSpec
} from "../shared/VNWF7YTE.js";
import "../shared/2U3ZSSGR.js";
import "../shared/M3P4WGVB.js";
import "../shared/ILRTPO4M.js";
import "../shared/BKIISGPW.js";
import"../page/page.js";
export {
  fromSpec
};
