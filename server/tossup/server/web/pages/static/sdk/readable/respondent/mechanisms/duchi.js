import {
  ends
} from "../shared/7HFSTXIU.js";
import "../shared/R7BVVZCC.js";
import "../shared/BFKPGDIU.js";
import {
  numbers
} from "../shared/5JM6JLH5.js";
import"../page/page.js";

// src/mechanisms/duchi.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return ends("duchi/1", answers, keep, lie);
};
export {
  fromSpec
};
