import {
  scored
} from "../shared/5QCSUYRU.js";
import "../shared/R7BVVZCC.js";
import "../shared/Y3HY5GT7.js";
import "../shared/S7DI6VBZ.js";
import "../shared/BYIAO6SI.js";

// src/mechanisms/exponential.ts
var fromSpec = (spec) => scored("exponential/1", spec, (losses, keep, lie) => {
  const most = Math.max(...losses);
  return losses.map((loss) => keep ** BigInt(most - loss) * lie ** BigInt(loss));
});
export {
  fromSpec
};
//# sourceMappingURL=exponential.js.map
