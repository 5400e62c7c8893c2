import {
  fromSpec
} from "../shared/T2CD5D7G.js";
import "../shared/RYZ64NUK.js";
import "../shared/7UNATXEL.js";
import "../shared/RZ6CJKIU.js";
import "../shared/VA7YJENC.js";
import "../shared/BJTFJTAA.js";
export {
  fromSpec
};
//# sourceMappingURL=hadamard-response.js.map
