import {
  scored
} from "../shared/QBODZUSQ.js";
import "../shared/R7BVVZCC.js";
import "../shared/MK5W24Q4.js";
import "../shared/BKIISGPW.js";
import"../page/page.js";

// src/mechanisms/exponential.ts
var fromSpec = (spec) => scored("exponential/1", spec, (losses, keep, lie) => {
  const most = Math.max(...losses);
  return losses.map((loss) => keep ** BigInt(most - loss) * lie ** BigInt(loss));
});
export {
  fromSpec
};
