import {
  scored
} from "../shared/4AZMFVBN.js";
import "../shared/R7BVVZCC.js";
import "../shared/J7BYR3UE.js";
import "../shared/WH7GYDMH.js";
import"../page/page.js";

// src/mechanisms/exponential.ts
var fromSpec = (spec) => scored("exponential/1", spec, (losses, keep, lie) => {
  const most = Math.max(...losses);
  return losses.map((loss) => keep ** BigInt(most - loss) * lie ** BigInt(loss));
});
export {
  fromSpec
};
