import {
  fromSpec
} from "../shared/XWRT6M3Z.js";
import "../shared/PCRSEMDV.js";
import "../shared/7UNATXEL.js";
import "../shared/RZ6CJKIU.js";
import "../shared/565UPYFV.js";
import "../shared/IW6C537W.js";
export {
  fromSpec
};
//# sourceMappingURL=hadamard-response.js.map
