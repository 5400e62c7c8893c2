import {
  fromSpec
} from "../shared/RY3CS7FN.js";
import "../shared/3TZ6CVOM.js";
import "../shared/BAAU4PZL.js";
import "../shared/DOIPVP3Z.js";
export {
  fromSpec
};
//# sourceMappingURL=projective-geometry-response.js.map
