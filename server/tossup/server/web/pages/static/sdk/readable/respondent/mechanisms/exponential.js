import {
  scored
} from "../shared/MGHWSI54.js";
import "../shared/TDJWXKJO.js";
import "../shared/KIUREEQN.js";
import "../shared/UCKCAESS.js";
import"../page/page.js";

// src/mechanisms/exponential.ts
var fromSpec = (spec) => scored("exponential/1", spec, (losses, keep, lie) => {
  const most = Math.max(...losses);
  return losses.map((loss) => keep ** BigInt(most - loss) * lie ** BigInt(loss));
});
export {
  fromSpec
};
