import {
  ends
} from "../shared/IINEUG3B.js";
import "../shared/R7BVVZCC.js";
import "../shared/FKEAX5JS.js";
import {
  numbers
} from "../shared/VA7YJENC.js";
import "../shared/BJTFJTAA.js";

// src/mechanisms/duchi.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return ends("duchi/1", answers, keep, lie);
};
export {
  fromSpec
};
//# sourceMappingURL=duchi.js.map
