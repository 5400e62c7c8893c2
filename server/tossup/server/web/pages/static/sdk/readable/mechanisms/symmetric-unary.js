import {
  fromSpec
} from "../shared/WDHYDH3J.js";
import "../shared/YJARJFWB.js";
import "../shared/P4RNLGJS.js";
import "../shared/WJSAXMDD.js";
export {
  fromSpec
};
//# sourceMappingURL=symmetric-unary.js.map
