import {
  decay
} from "../shared/QGJX3Q2C.js";
import "../shared/R7BVVZCC.js";
import "../shared/PWSZPN5G.js";
import {
  check,
  checkKeys
} from "../shared/ZAAYOKEC.js";
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
