import {
  scored
} from "../shared/YQE24UQU.js";
import "../shared/R7BVVZCC.js";
import "../shared/K4I2R3OR.js";
import "../shared/QAYYS2D5.js";
import "../shared/26JJDGDP.js";

// src/mechanisms/exponential.ts
var fromSpec = (spec) => scored("exponential/1", spec, (losses, keep, lie) => {
  const most = Math.max(...losses);
  return losses.map((loss) => keep ** BigInt(most - loss) * lie ** BigInt(loss));
});
export {
  fromSpec
};
//# sourceMappingURL=exponential.js.map
