import {
  fromSpec
} from "../shared/IQ3KLYMF.js";
import "../shared/YXJJ74NO.js";
import "../shared/XVP6OM4I.js";
import "../shared/556CFHNP.js";
export {
  fromSpec
};
//# sourceMappingURL=local-hashing.js.map
