import {
  fromSpec
} from "../shared/RSW7TF24.js";
import "../shared/YJARJFWB.js";
import "../shared/P4RNLGJS.js";
import "../shared/WJSAXMDD.js";
export {
  fromSpec
};
//# sourceMappingURL=subset-selection.js.map
