import {
  fromSpec
} from "../shared/NBGMQ724.js";
import "../shared/RYZ64NUK.js";
import "../shared/7UNATXEL.js";
import "../shared/RZ6CJKIU.js";
import "../shared/VA7YJENC.js";
import "../shared/BJTFJTAA.js";
export {
  fromSpec
};
//# sourceMappingURL=optimized-unary.js.map
