import {
  scored
} from "../shared/OXOZRZYW.js";
import "../shared/R7BVVZCC.js";
import "../shared/ZDUDLLJN.js";
import "../shared/BL6JMQTK.js";
import "../shared/PRYFKI73.js";

// src/mechanisms/exponential.ts
var fromSpec = (spec) => scored("exponential/1", spec, (losses, keep, lie) => {
  const most = Math.max(...losses);
  return losses.map((loss) => keep ** BigInt(most - loss) * lie ** BigInt(loss));
});
export {
  fromSpec
};
//# sourceMappingURL=exponential.js.map
