import {
  ends
} from "../shared/NJSULFDC.js";
import "../shared/R7BVVZCC.js";
import "../shared/K4I2R3OR.js";
import {
  numbers
} from "../shared/QAYYS2D5.js";
import "../shared/26JJDGDP.js";

// src/mechanisms/duchi.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return ends("duchi/1", answers, keep, lie);
};
export {
  fromSpec
};
//# sourceMappingURL=duchi.js.map
