import {
  decay
} from "../shared/OWEJWQX6.js";
import "../shared/R7BVVZCC.js";
import "../shared/J7BYR3UE.js";
import {
  check,
  checkKeys
} from "../shared/WH7GYDMH.js";
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
