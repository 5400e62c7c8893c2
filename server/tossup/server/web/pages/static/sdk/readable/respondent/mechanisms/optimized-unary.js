import {
  fromSpec
} from "../shared/UM5GYWM4.js";
import "../shared/BJ2AZBSH.js";
import "../shared/M3P4WGVB.js";
import "../shared/ILRTPO4M.js";
import "../shared/3JW6NCQS.js";
import"../page/page.js";
export {
  fromSpec
};
