import {
  ends
} from "../shared/OWEJWQX6.js";
import "../shared/R7BVVZCC.js";
import "../shared/J7BYR3UE.js";
import {
  numbers
} from "../shared/WH7GYDMH.js";
import"../page/page.js";

// src/mechanisms/duchi.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return ends("duchi/1", answers, keep, lie);
};
export {
  fromSpec
};
