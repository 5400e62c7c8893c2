import {
  Coins,
  bitsFor,
  bytesFor
} from "./shared/RZ6CJKIU.js";
import "./shared/3SBK66FU.js";
export {
  Coins,
  bitsFor,
  bytesFor
};
//# sourceMappingURL=coins.js.map
