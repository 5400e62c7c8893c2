import {
  fromSpec
} from "../shared/EQPHFTGG.js";
import "../shared/LKM5Q2WV.js";
import "../shared/M3P4WGVB.js";
import "../shared/ILRTPO4M.js";
import "../shared/6JNFSEP3.js";
import"../page/page.js";
export {
  fromSpec
};
