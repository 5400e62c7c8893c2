import {
  Coins,
  bitsFor,
  bytesFor
} from "./shared/RZ6CJKIU.js";
import "./shared/QSFGJONQ.js";
export {
  Coins,
  bitsFor,
  bytesFor
};
//# sourceMappingURL=coins.js.map
