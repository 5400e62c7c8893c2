import {
  fromSpec
} from "../shared/MWUSE5KJ.js";
import "../shared/YXJJ74NO.js";
import "../shared/XVP6OM4I.js";
import "../shared/556CFHNP.js";
export {
  fromSpec
};
//# sourceMappingURL=projective-geometry-response.js.map
