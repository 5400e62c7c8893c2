import {
  ends
} from "../shared/NYOLYFYJ.js";
import "../shared/R7BVVZCC.js";
import "../shared/M7EBL5TS.js";
import {
  numbers
} from "../shared/C3ZFIKGH.js";
import"../page/page.js";

// src/mechanisms/duchi.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return ends("duchi/1", answers, keep, lie);
};
export {
  fromSpec
};
