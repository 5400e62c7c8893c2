import {
  Coins,
  bitsFor,
  bytesFor
} from "./shared/RZ6CJKIU.js";
import "./shared/6O6AZUJI.js";
export {
  Coins,
  bitsFor,
  bytesFor
};
//# sourceMappingURL=coins.js.map
