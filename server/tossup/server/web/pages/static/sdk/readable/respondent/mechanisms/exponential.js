import {
  scored
} from "../shared/MD7EP7PY.js";
import "../shared/R7BVVZCC.js";
import "../shared/Z3QNIUSL.js";
import "../shared/3JW6NCQS.js";
import"../page/page.js";

// src/mechanisms/exponential.ts
var fromSpec = (spec) => scored("exponential/1", spec, (losses, keep, lie) => {
  const most = Math.max(...losses);
  return losses.map((loss) => keep ** BigInt(most - loss) * lie ** BigInt(loss));
});
export {
  fromSpec
};
