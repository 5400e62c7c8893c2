import {
  ends
} from "../shared/NQBETXU7.js";
import "../shared/R7BVVZCC.js";
import "../shared/45LBOM6A.js";
import {
  numbers
} from "../shared/HRRUQ74D.js";
import"../page/page.js";

// src/mechanisms/duchi.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return ends("duchi/1", answers, keep, lie);
};
export {
  fromSpec
};
