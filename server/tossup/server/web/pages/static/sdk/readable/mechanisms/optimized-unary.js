import {
  fromSpec
} from "../shared/LN22D2OT.js";
import "../shared/3TZ6CVOM.js";
import "../shared/BAAU4PZL.js";
import "../shared/DOIPVP3Z.js";
export {
  fromSpec
};
//# sourceMappingURL=optimized-unary.js.map
