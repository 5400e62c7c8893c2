import {
  scored
} from "../shared/XMF3C5OY.js";
import "../shared/R7BVVZCC.js";
import "../shared/M7EBL5TS.js";
import "../shared/C3ZFIKGH.js";
import"../page/page.js";

// src/mechanisms/exponential.ts
var fromSpec = (spec) => scored("exponential/1", spec, (losses, keep, lie) => {
  const most = Math.max(...losses);
  return losses.map((loss) => keep ** BigInt(most - loss) * lie ** BigInt(loss));
});
export {
  fromSpec
};
