import {
  scored
} from "../shared/PY36J732.js";
import "../shared/R7BVVZCC.js";
import "../shared/STOSR4J5.js";
import "../shared/C65GXGM4.js";
import "../shared/3SBK66FU.js";

// src/mechanisms/exponential.ts
var fromSpec = (spec) => scored("exponential/1", spec, (losses, keep, lie) => {
  const most = Math.max(...losses);
  return losses.map((loss) => keep ** BigInt(most - loss) * lie ** BigInt(loss));
});
export {
  fromSpec
};
//# sourceMappingURL=exponential.js.map
