import {
  decay
} from "../shared/KAZVE6WL.js";
import "../shared/TDJWXKJO.js";
import "../shared/KIUREEQN.js";
import {
  check,
  checkKeys
} from "../shared/UCKCAESS.js";
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
