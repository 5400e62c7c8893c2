import {
  scored
} from "../shared/QBGELU6B.js";
import "../shared/R7BVVZCC.js";
import "../shared/BFKPGDIU.js";
import "../shared/5JM6JLH5.js";
import"../page/page.js";

// src/mechanisms/exponential.ts
var fromSpec = (spec) => scored("exponential/1", spec, (losses, keep, lie) => {
  const most = Math.max(...losses);
  return losses.map((loss) => keep ** BigInt(most - loss) * lie ** BigInt(loss));
});
export {
  fromSpec
};
