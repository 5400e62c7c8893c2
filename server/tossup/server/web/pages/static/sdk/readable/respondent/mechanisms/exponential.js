import {
  scored
} from "../shared/NIFO4NCC.js";
import "../shared/TDJWXKJO.js";
import "../shared/YJHIPBOC.js";
import "../shared/3YUBTFZ7.js";
import"../page/page.js";

// src/mechanisms/exponential.ts
var fromSpec = (spec) => scored("exponential/1", spec, (losses, keep, lie) => {
  const most = Math.max(...losses);
  return losses.map((loss) => keep ** BigInt(most - loss) * lie ** BigInt(loss));
});
export {
  fromSpec
};
