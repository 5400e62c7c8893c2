import {
  ends
} from "../shared/SSNJZILM.js";
import "../shared/R7BVVZCC.js";
import "../shared/MFAXIUDU.js";
import {
  numbers
} from "../shared/5LWLKKI5.js";
import"../page/page.js";

// src/mechanisms/duchi.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return ends("duchi/1", answers, keep, lie);
};
export {
  fromSpec
};
