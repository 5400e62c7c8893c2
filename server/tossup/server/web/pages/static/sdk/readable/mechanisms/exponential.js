import {
  scored
} from "../shared/CAU2IBMS.js";
import "../shared/R7BVVZCC.js";
import "../shared/WSYQ6NKG.js";
import "../shared/XDWR6KND.js";
import "../shared/6O6AZUJI.js";

// src/mechanisms/exponential.ts
var fromSpec = (spec) => scored("exponential/1", spec, (losses, keep, lie) => {
  const most = Math.max(...losses);
  return losses.map((loss) => keep ** BigInt(most - loss) * lie ** BigInt(loss));
});
export {
  fromSpec
};
//# sourceMappingURL=exponential.js.map
