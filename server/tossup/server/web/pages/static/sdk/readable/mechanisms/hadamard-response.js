import {
  fromSpec
} from "../shared/WSNV5VNX.js";
import "../shared/3TZ6CVOM.js";
import "../shared/BAAU4PZL.js";
import "../shared/DOIPVP3Z.js";
export {
  fromSpec
};
//# sourceMappingURL=hadamard-response.js.map
