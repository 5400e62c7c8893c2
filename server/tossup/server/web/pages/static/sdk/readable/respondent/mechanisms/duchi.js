import {
  ends
} from "../shared/QU53MPKQ.js";
import "../shared/R7BVVZCC.js";
import "../shared/MK5W24Q4.js";
import {
  numbers
} from "../shared/BKIISGPW.js";
import"../page/page.js";

// src/mechanisms/duchi.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return ends("duchi/1", answers, keep, lie);
};
export {
  fromSpec
};
