import {
  scored
} from "../shared/CSY7CC3L.js";
import "../shared/R7BVVZCC.js";
import "../shared/PK4ZXC54.js";
import "../shared/6JNFSEP3.js";
import"../page/page.js";

// src/mechanisms/exponential.ts
var fromSpec = (spec) => scored("exponential/1", spec, (losses, keep, lie) => {
  const most = Math.max(...losses);
  return losses.map((loss) => keep ** BigInt(most - loss) * lie ** BigInt(loss));
});
export {
  fromSpec
};
