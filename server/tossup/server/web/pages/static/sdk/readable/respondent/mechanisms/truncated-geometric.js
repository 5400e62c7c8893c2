import {
  decay
} from "../shared/NYOLYFYJ.js";
import "../shared/R7BVVZCC.js";
import "../shared/M7EBL5TS.js";
import {
  check,
  checkKeys
} from "../shared/C3ZFIKGH.js";
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
