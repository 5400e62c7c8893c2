import {
  fromSpec
} from "../shared/5IPIAMTK.js";
import "../shared/YWIR5EHU.js";
import "../shared/7UNATXEL.js";
import "../shared/RZ6CJKIU.js";
import "../shared/XDWR6KND.js";
import "../shared/6O6AZUJI.js";
export {
  fromSpec
};
//# sourceMappingURL=projective-geometry-response.js.map
