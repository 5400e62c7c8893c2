import {
  ends
} from "../shared/62K6O4P5.js";
import "../shared/R7BVVZCC.js";
import "../shared/ARFBNBRX.js";
import {
  numbers
} from "../shared/NOKLIKL7.js";
import"../page/page.js";

// src/mechanisms/duchi.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return ends("duchi/1", answers, keep, lie);
};
export {
  fromSpec
};
