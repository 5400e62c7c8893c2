import {
  scored
} from "../shared/WE3RP4HF.js";
import "../shared/R7BVVZCC.js";
import "../shared/QVYMWNN2.js";
import "../shared/BAAU4PZL.js";
import "../shared/DOIPVP3Z.js";

// src/mechanisms/exponential.ts
var fromSpec = (spec) => scored("exponential/1", spec, (losses, keep, lie) => {
  const most = Math.max(...losses);
  return losses.map((loss) => keep ** BigInt(most - loss) * lie ** BigInt(loss));
});
export {
  fromSpec
};
//# sourceMappingURL=exponential.js.map
