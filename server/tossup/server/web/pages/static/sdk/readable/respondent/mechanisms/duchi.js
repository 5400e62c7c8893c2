import {
  ends
} from "../shared/DUTOJSY7.js";
import "../shared/R7BVVZCC.js";
import "../shared/DMJWSDVN.js";
import {
  numbers
} from "../shared/T2TDNCNS.js";
import"../page/page.js";

// src/mechanisms/duchi.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return ends("duchi/1", answers, keep, lie);
};
export {
  fromSpec
};
