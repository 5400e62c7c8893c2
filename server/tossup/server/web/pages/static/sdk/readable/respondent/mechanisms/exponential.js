import {
  scored
} from "../shared/HCT5K5D4.js";
import "../shared/R7BVVZCC.js";
import "../shared/45LBOM6A.js";
import "../shared/HRRUQ74D.js";
import"../page/page.js";

// src/mechanisms/exponential.ts
var fromSpec = (spec) => scored("exponential/1", spec, (losses, keep, lie) => {
  const most = Math.max(...losses);
  return losses.map((loss) => keep ** BigInt(most - loss) * lie ** BigInt(loss));
});
export {
  fromSpec
};
