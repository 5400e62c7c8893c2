import {
  fromSpec
} from "../shared/6QOQDHBS.js";
import "../shared/YXJJ74NO.js";
import "../shared/XVP6OM4I.js";
import "../shared/556CFHNP.js";
export {
  fromSpec
};
//# sourceMappingURL=subset-selection.js.map
