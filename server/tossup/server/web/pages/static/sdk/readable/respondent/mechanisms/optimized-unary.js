import {
  fromSpec
} from "../shared/Y35QPQHJ.js";
import "../shared/O7KE2225.js";
import "../shared/M3P4WGVB.js";
import "../shared/ILRTPO4M.js";
import "../shared/5JM6JLH5.js";
import"../page/page.js";
export {
  fromSpec
};
