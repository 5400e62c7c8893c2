import {
  fromSpec
} from "../shared/DI52LPFC.js";
import "../shared/3TZ6CVOM.js";
import "../shared/BAAU4PZL.js";
import "../shared/DOIPVP3Z.js";
export {
  fromSpec
};
//# sourceMappingURL=subset-selection.js.map
