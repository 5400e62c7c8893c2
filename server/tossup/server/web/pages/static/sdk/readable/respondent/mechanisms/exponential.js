import {
  scored
} from "../shared/LPDT47DB.js";
import "../shared/R7BVVZCC.js";
import "../shared/PWSZPN5G.js";
import "../shared/ZAAYOKEC.js";
import"../page/page.js";

// src/mechanisms/exponential.ts
var fromSpec = (spec) => scored("exponential/1", spec, (losses, keep, lie) => {
  const most = Math.max(...losses);
  return losses.map((loss) => keep ** BigInt(most - loss) * lie ** BigInt(loss));
});
export {
  fromSpec
};
