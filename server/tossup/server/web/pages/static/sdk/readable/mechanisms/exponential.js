import {
  scored
} from "../shared/GAIX2YHA.js";
import "../shared/R7BVVZCC.js";
import "../shared/AS5LBUO2.js";
import "../shared/DZ5T3PNP.js";
import "../shared/OABLWO2B.js";

// src/mechanisms/exponential.ts
var fromSpec = (spec) => scored("exponential/1", spec, (losses, keep, lie) => {
  const most = Math.max(...losses);
  return losses.map((loss) => keep ** BigInt(most - loss) * lie ** BigInt(loss));
});
export {
  fromSpec
};
//# sourceMappingURL=exponential.js.map
