import {
  decay
} from "../shared/HJQAVPYX.js";
import "../shared/R7BVVZCC.js";
import "../shared/BTNPDKRO.js";
import {
  check,
  checkKeys
} from "../shared/W7JX4ZXR.js";
import"../page/page.js";

// src/mechanisms/truncated-geometric.ts
var fromSpec = (spec, answers) => {
  checkKeys(spec, "tails");
  const made = decay("truncated-geometric/1", answers, spec);
  check(!made.margin, "a tail for every point");
  return made;
};
export {
  fromSpec
};
