import {
  Coins,
  bitsFor,
  bytesFor
} from "./shared/RZ6CJKIU.js";
import "./shared/5BMRU7X6.js";
export {
  Coins,
  bitsFor,
  bytesFor
};
//# sourceMappingURL=coins.js.map
