import {
  ends
} from "../shared/PM4T7FER.js";
import "../shared/R7BVVZCC.js";
import "../shared/467D3HYW.js";
import {
  numbers
} from "../shared/JLZ5BSSY.js";
import"../page/page.js";

// src/mechanisms/duchi.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return ends("duchi/1", answers, keep, lie);
};
export {
  fromSpec
};
