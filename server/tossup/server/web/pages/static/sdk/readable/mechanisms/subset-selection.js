import {
  fromSpec
} from "../shared/F7FDNAUA.js";
import "../shared/YWIR5EHU.js";
import "../shared/7UNATXEL.js";
import "../shared/RZ6CJKIU.js";
import "../shared/XDWR6KND.js";
import "../shared/6O6AZUJI.js";
export {
  fromSpec
};
//# sourceMappingURL=subset-selection.js.map
