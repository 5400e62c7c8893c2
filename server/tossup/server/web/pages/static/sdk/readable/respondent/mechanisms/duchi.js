import {
  ends
} from "../shared/HJQAVPYX.js";
import "../shared/R7BVVZCC.js";
import "../shared/BTNPDKRO.js";
import {
  numbers
} from "../shared/W7JX4ZXR.js";
import"../page/page.js";

// src/mechanisms/duchi.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return ends("duchi/1", answers, keep, lie);
};
export {
  fromSpec
};
