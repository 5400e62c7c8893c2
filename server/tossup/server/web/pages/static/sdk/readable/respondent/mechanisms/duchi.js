import {
  ends
} from "../shared/OPIH232V.js";
import "../shared/R7BVVZCC.js";
import "../shared/Z3QNIUSL.js";
import {
  numbers
} from "../shared/3JW6NCQS.js";
import"../page/page.js";

// src/mechanisms/duchi.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return ends("duchi/1", answers, keep, lie);
};
export {
  fromSpec
};
