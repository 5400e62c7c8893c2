import {
  fromSpec
} from "../shared/KFS4WG7X.js";
import "../shared/QKIV7XYQ.js";
import "../shared/M3P4WGVB.js";
import "../shared/ILRTPO4M.js";
import "../shared/UCKCAESS.js";
import"../page/page.js";
export {
  fromSpec
};
