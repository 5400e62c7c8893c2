import {
  fromSpec
} from "../shared/KJPGOO6U.js";
import "../shared/2IPZ7WQP.js";
import "../shared/M3P4WGVB.js";
import "../shared/ILRTPO4M.js";
import "../shared/T2TDNCNS.js";
import"../page/page.js";
export {
  fromSpec
};
