import {
  decay
} from "../shared/SSNJZILM.js";
import "../shared/R7BVVZCC.js";
import "../shared/MFAXIUDU.js";
import {
  check,
  checkKeys
} from "../shared/5LWLKKI5.js";
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
