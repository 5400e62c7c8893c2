import {
  fromSpec
} from "../shared/YF5XL4WH.js";
import "../shared/PUIME476.js";
import "../shared/7UNATXEL.js";
import "../shared/RZ6CJKIU.js";
import "../shared/S7DI6VBZ.js";
import "../shared/BYIAO6SI.js";
export {
  fromSpec
};
//# sourceMappingURL=subset-selection.js.map
