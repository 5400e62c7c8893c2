import {
  fromSpec
} from "../shared/R3KX5JAN.js";
import "../shared/6NPZHHGT.js";
import "../shared/7UNATXEL.js";
import "../shared/RZ6CJKIU.js";
import "../shared/C65GXGM4.js";
import "../shared/3SBK66FU.js";
export {
  fromSpec
};
//# sourceMappingURL=projective-geometry-response.js.map
