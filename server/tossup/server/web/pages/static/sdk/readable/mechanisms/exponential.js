import {
  scored
} from "../shared/7NTMD257.js";
import "../shared/R7BVVZCC.js";
import "../shared/WI7C5L7H.js";
import "../shared/3SNUPGXL.js";
import "../shared/7KQQEI2G.js";

// src/mechanisms/exponential.ts
var fromSpec = (spec) => scored("exponential/1", spec, (losses, keep, lie) => {
  const most = Math.max(...losses);
  return losses.map((loss) => keep ** BigInt(most - loss) * lie ** BigInt(loss));
});
export {
  fromSpec
};
//# sourceMappingURL=exponential.js.map
