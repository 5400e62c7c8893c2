import {
  decay
} from "../shared/SHKNB676.js";
import "../shared/TDJWXKJO.js";
import "../shared/YJHIPBOC.js";
import {
  check,
  checkKeys
} from "../shared/3YUBTFZ7.js";
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
