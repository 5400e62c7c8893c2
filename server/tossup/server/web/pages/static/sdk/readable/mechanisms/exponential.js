import {
  scored
} from "../shared/YNCVOPCJ.js";
import "../shared/R7BVVZCC.js";
import "../shared/6GORJ3O2.js";
import "../shared/EP62XFI6.js";
import "../shared/MBQPUHFF.js";

// src/mechanisms/exponential.ts
var fromSpec = (spec) => scored("exponential/1", spec, (losses, keep, lie) => {
  const most = Math.max(...losses);
  return losses.map((loss) => keep ** BigInt(most - loss) * lie ** BigInt(loss));
});
export {
  fromSpec
};
//# sourceMappingURL=exponential.js.map
