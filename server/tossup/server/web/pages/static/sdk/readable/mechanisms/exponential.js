import {
  scored
} from "../shared/KLCN7UT2.js";
import "../shared/TDJWXKJO.js";
import "../shared/WPQLKJWZ.js";
import "../shared/ZGTW6QBU.js";
import "../shared/QSFGJONQ.js";

// src/mechanisms/exponential.ts
var fromSpec = (spec) => scored("exponential/1", spec, (losses, keep, lie) => {
  const most = Math.max(...losses);
  return losses.map((loss) => keep ** BigInt(most - loss) * lie ** BigInt(loss));
});
export {
  fromSpec
};
//# sourceMappingURL=exponential.js.map
