import {
  fromSpec
} from "../shared/INA6MQXM.js";
import "../shared/RYZ64NUK.js";
import "../shared/7UNATXEL.js";
import "../shared/RZ6CJKIU.js";
import "../shared/VA7YJENC.js";
import "../shared/BJTFJTAA.js";
export {
  fromSpec
};
//# sourceMappingURL=projective-geometry-response.js.map
