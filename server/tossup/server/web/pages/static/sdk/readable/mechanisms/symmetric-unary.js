import {
  fromSpec
} from "../shared/R3DL3LLL.js";
import "../shared/S633ZBVW.js";
import "../shared/3SNUPGXL.js";
import "../shared/7KQQEI2G.js";
export {
  fromSpec
};
//# sourceMappingURL=symmetric-unary.js.map
