import {
  ends
} from "../shared/QGJX3Q2C.js";
import "../shared/R7BVVZCC.js";
import "../shared/PWSZPN5G.js";
import {
  numbers
} from "../shared/ZAAYOKEC.js";
import"../page/page.js";

// src/mechanisms/duchi.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return ends("duchi/1", answers, keep, lie);
};
export {
  fromSpec
};
