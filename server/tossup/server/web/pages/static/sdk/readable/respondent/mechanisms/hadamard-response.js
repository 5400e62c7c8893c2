import {
  fromSpec
} from "../shared/6PLGLCNB.js";
import "../shared/MJHQ5B3X.js";
import "../shared/M3P4WGVB.js";
import "../shared/ILRTPO4M.js";
import "../shared/JLZ5BSSY.js";
import"../page/page.js";
export {
  fromSpec
};
