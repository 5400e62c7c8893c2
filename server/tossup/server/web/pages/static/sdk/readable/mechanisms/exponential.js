import {
  scored
} from "../shared/4ZWYCWQE.js";
import "../shared/R7BVVZCC.js";
import "../shared/FKEAX5JS.js";
import "../shared/VA7YJENC.js";
import "../shared/BJTFJTAA.js";

// src/mechanisms/exponential.ts
var fromSpec = (spec) => scored("exponential/1", spec, (losses, keep, lie) => {
  const most = Math.max(...losses);
  return losses.map((loss) => keep ** BigInt(most - loss) * lie ** BigInt(loss));
});
export {
  fromSpec
};
//# sourceMappingURL=exponential.js.map
