import {
  fromSpec
} from "../shared/FDLJ7BQO.js";
import "../shared/RYZ64NUK.js";
import "../shared/7UNATXEL.js";
import "../shared/RZ6CJKIU.js";
import "../shared/VA7YJENC.js";
import "../shared/BJTFJTAA.js";
export {
  fromSpec
};
//# sourceMappingURL=subset-selection.js.map
