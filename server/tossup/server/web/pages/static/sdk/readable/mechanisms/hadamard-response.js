import {
  fromSpec
} from "../shared/NOXU5T52.js";
import "../shared/YJARJFWB.js";
import "../shared/P4RNLGJS.js";
import "../shared/WJSAXMDD.js";
export {
  fromSpec
};
//# sourceMappingURL=hadamard-response.js.map
