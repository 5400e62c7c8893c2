import {
  fromSpec
} from "../shared/UD4S2FSO.js";
import "../shared/S633ZBVW.js";
import "../shared/3SNUPGXL.js";
import "../shared/7KQQEI2G.js";
export {
  fromSpec
};
//# sourceMappingURL=projective-geometry-response.js.map
