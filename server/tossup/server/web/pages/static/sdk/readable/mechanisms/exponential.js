import {
  scored
} from "../shared/2FRRN5XN.js";
import "../shared/R7BVVZCC.js";
import "../shared/DDTKHQQX.js";
import "../shared/NTWOXCFD.js";
import "../shared/LZUHYOH2.js";

// src/mechanisms/exponential.ts
var fromSpec = (spec) => scored("exponential/1", spec, (losses, keep, lie) => {
  const most = Math.max(...losses);
  return losses.map((loss) => keep ** BigInt(most - loss) * lie ** BigInt(loss));
});
export {
  fromSpec
};
//# sourceMappingURL=exponential.js.map
