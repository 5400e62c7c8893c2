import {
  fromSpec
} from "../shared/MJ4UUSB6.js";
import "../shared/YXJJ74NO.js";
import "../shared/XVP6OM4I.js";
import "../shared/556CFHNP.js";
export {
  fromSpec
};
//# sourceMappingURL=symmetric-unary.js.map
