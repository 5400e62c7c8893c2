import {
  fromSpec
} from "../shared/FNVDH6SY.js";
import "../shared/YXJJ74NO.js";
import "../shared/XVP6OM4I.js";
import "../shared/556CFHNP.js";
export {
  fromSpec
};
//# sourceMappingURL=hadamard-response.js.map
