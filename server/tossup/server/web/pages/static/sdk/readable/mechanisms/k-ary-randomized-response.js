import {
  fromSpec
} from "../shared/ILI2GROU.js";
import "../shared/3TZ6CVOM.js";
import "../shared/BAAU4PZL.js";
import "../shared/DOIPVP3Z.js";
export {
  fromSpec
};
//# sourceMappingURL=k-ary-randomized-response.js.map
