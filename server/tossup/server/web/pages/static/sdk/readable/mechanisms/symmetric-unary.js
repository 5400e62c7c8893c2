import {
  fromSpec
} from "../shared/QTO6LNPH.js";
import "../shared/3TZ6CVOM.js";
import "../shared/BAAU4PZL.js";
import "../shared/DOIPVP3Z.js";
export {
  fromSpec
};
//# sourceMappingURL=symmetric-unary.js.map
