import {
  fromSpec
} from "../shared/ZDXB2DPZ.js";
import "../shared/S633ZBVW.js";
import "../shared/3SNUPGXL.js";
import "../shared/7KQQEI2G.js";
export {
  fromSpec
};
//# sourceMappingURL=optimized-unary.js.map
