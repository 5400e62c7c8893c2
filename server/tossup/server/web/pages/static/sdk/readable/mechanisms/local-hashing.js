import {
  fromSpec
} from "../shared/YN6RRJPB.js";
import "../shared/YJARJFWB.js";
import "../shared/P4RNLGJS.js";
import "../shared/WJSAXMDD.js";
export {
  fromSpec
};
//# sourceMappingURL=local-hashing.js.map
