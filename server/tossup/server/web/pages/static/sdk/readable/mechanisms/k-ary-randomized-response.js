import {
  fromSpec
} from "../shared/AOB2BPFS.js";
import "../shared/YXJJ74NO.js";
import "../shared/XVP6OM4I.js";
import "../shared/556CFHNP.js";
export {
  fromSpec
};
//# sourceMappingURL=k-ary-randomized-response.js.map
