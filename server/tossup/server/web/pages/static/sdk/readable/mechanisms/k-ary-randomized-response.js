import {
  fromSpec
} from "../shared/KDVRLDM7.js";
import "../shared/PCRSEMDV.js";
import "../shared/7UNATXEL.js";
import "../shared/RZ6CJKIU.js";
import "../shared/565UPYFV.js";
import "../shared/IW6C537W.js";
export {
  fromSpec
};
//# sourceMappingURL=k-ary-randomized-response.js.map
