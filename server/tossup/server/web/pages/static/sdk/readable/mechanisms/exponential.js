import {
  scored
} from "../shared/UMKHCX2Y.js";
import "../shared/R7BVVZCC.js";
import "../shared/RU4QECN3.js";
import "../shared/XVP6OM4I.js";
import "../shared/556CFHNP.js";

// src/mechanisms/exponential.ts
var fromSpec = (spec) => scored("exponential/1", spec, (losses, keep, lie) => {
  const most = Math.max(...losses);
  return losses.map((loss) => keep ** BigInt(most - loss) * lie ** BigInt(loss));
});
export {
  fromSpec
};
//# sourceMappingURL=exponential.js.map
