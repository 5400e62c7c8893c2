import {
  fromSpec
} from "../shared/JNAKDA2T.js";
import "../shared/6NPZHHGT.js";
import "../shared/7UNATXEL.js";
import "../shared/RZ6CJKIU.js";
import "../shared/C65GXGM4.js";
import "../shared/3SBK66FU.js";
export {
  fromSpec
};
//# sourceMappingURL=local-hashing.js.map
