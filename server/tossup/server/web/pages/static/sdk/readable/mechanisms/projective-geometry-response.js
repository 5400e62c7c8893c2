import {
  fromSpec
} from "../shared/YYPPR6AB.js";
import "../shared/YJARJFWB.js";
import "../shared/P4RNLGJS.js";
import "../shared/WJSAXMDD.js";
export {
  fromSpec
};
//# sourceMappingURL=projective-geometry-response.js.map
