import {
  decay
} from "../shared/PM4T7FER.js";
import "../shared/R7BVVZCC.js";
import "../shared/467D3HYW.js";
import {
  check,
  checkKeys
} from "../shared/JLZ5BSSY.js";
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
