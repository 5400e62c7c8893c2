import {
  fromSpec
} from "../shared/2BWIQLX2.js";
import "../shared/YJARJFWB.js";
import "../shared/P4RNLGJS.js";
import "../shared/WJSAXMDD.js";
export {
  fromSpec
};
//# sourceMappingURL=k-ary-randomized-response.js.map
