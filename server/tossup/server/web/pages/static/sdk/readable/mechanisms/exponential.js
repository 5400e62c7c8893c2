import {
  scored
} from "../shared/ZG4BK2E3.js";
import "../shared/TDJWXKJO.js";
import "../shared/NJOZZSXN.js";
import "../shared/QF2AWJEN.js";
import "../shared/5BMRU7X6.js";

// src/mechanisms/exponential.ts
var fromSpec = (spec) => scored("exponential/1", spec, (losses, keep, lie) => {
  const most = Math.max(...losses);
  return losses.map((loss) => keep ** BigInt(most - loss) * lie ** BigInt(loss));
});
export {
  fromSpec
};
//# sourceMappingURL=exponential.js.map
