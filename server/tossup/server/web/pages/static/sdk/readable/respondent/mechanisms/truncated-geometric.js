import {
  decay
} from "../shared/IWC4HLEI.js";
import "../shared/R7BVVZCC.js";
import "../shared/PK4ZXC54.js";
import {
  check,
  checkKeys
} from "../shared/6JNFSEP3.js";
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
