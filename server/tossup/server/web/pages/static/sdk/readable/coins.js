import {
  Coins,
  bitsFor,
  bytesFor
} from "./shared/RZ6CJKIU.js";
import "./shared/IW6C537W.js";
export {
  Coins,
  bitsFor,
  bytesFor
};
//# sourceMappingURL=coins.js.map
