import {
  ends
} from "../shared/RJ452PKK.js";
import "../shared/R7BVVZCC.js";
import "../shared/DDTKHQQX.js";
import {
  numbers
} from "../shared/NTWOXCFD.js";
import "../shared/LZUHYOH2.js";

// src/mechanisms/duchi.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return ends("duchi/1", answers, keep, lie);
};
export {
  fromSpec
};
//# sourceMappingURL=duchi.js.map
