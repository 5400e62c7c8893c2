import {
  fromSpec
} from "../shared/3YVLPC5D.js";
import "../shared/YXJJ74NO.js";
import "../shared/XVP6OM4I.js";
import "../shared/556CFHNP.js";
export {
  fromSpec
};
//# sourceMappingURL=optimized-unary.js.map
