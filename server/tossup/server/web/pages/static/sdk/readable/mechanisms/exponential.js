import {
  scored
} from "../shared/EI4UHGOM.js";
import "../shared/R7BVVZCC.js";
import "../shared/QFIBO5I6.js";
import "../shared/565UPYFV.js";
import "../shared/IW6C537W.js";

// src/mechanisms/exponential.ts
var fromSpec = (spec) => scored("exponential/1", spec, (losses, keep, lie) => {
  const most = Math.max(...losses);
  return losses.map((loss) => keep ** BigInt(most - loss) * lie ** BigInt(loss));
});
export {
  fromSpec
};
//# sourceMappingURL=exponential.js.map
