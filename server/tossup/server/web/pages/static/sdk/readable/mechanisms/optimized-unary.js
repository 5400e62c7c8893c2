import {
  fromSpec
} from "../shared/R72M5NHL.js";
import "../shared/YJARJFWB.js";
import "../shared/P4RNLGJS.js";
import "../shared/WJSAXMDD.js";
export {
  fromSpec
};
//# sourceMappingURL=optimized-unary.js.map
