import {
  scored
} from "../shared/EHAHWRLJ.js";
import "../shared/R7BVVZCC.js";
import "../shared/467D3HYW.js";
import "../shared/JLZ5BSSY.js";
import"../page/page.js";

// src/mechanisms/exponential.ts
var fromSpec = (spec) => scored("exponential/1", spec, (losses, keep, lie) => {
  const most = Math.max(...losses);
  return losses.map((loss) => keep ** BigInt(most - loss) * lie ** BigInt(loss));
});
export {
  fromSpec
};
