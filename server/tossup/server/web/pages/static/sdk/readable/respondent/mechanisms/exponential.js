import {
  scored
} from "../shared/RQ4NBZZW.js";
import "../shared/R7BVVZCC.js";
import "../shared/MFAXIUDU.js";
import "../shared/5LWLKKI5.js";
import"../page/page.js";

// src/mechanisms/exponential.ts
var fromSpec = (spec) => scored("exponential/1", spec, (losses, keep, lie) => {
  const most = Math.max(...losses);
  return losses.map((loss) => keep ** BigInt(most - loss) * lie ** BigInt(loss));
});
export {
  fromSpec
};
