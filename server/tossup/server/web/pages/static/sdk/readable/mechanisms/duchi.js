import {
  ends
} from "../shared/NGDF7V3O.js";
import "../shared/R7BVVZCC.js";
import "../shared/STOSR4J5.js";
import {
  numbers
} from "../shared/C65GXGM4.js";
import "../shared/3SBK66FU.js";

// src/mechanisms/duchi.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return ends("duchi/1", answers, keep, lie);
};
export {
  fromSpec
};
//# sourceMappingURL=duchi.js.map
