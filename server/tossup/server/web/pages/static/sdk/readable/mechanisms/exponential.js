import {
  scored
} from "../shared/5F55L26I.js";
import "../shared/R7BVVZCC.js";
import "../shared/S64YJJQY.js";
import "../shared/P4RNLGJS.js";
import "../shared/WJSAXMDD.js";

// src/mechanisms/exponential.ts
var fromSpec = (spec) => scored("exponential/1", spec, (losses, keep, lie) => {
  const most = Math.max(...losses);
  return losses.map((loss) => keep ** BigInt(most - loss) * lie ** BigInt(loss));
});
export {
  fromSpec
};
//# sourceMappingURL=exponential.js.map
