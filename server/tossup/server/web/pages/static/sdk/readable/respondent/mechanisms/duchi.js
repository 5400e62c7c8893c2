import {
  ends
} from "../shared/IWC4HLEI.js";
import "../shared/R7BVVZCC.js";
import "../shared/PK4ZXC54.js";
import {
  numbers
} from "../shared/6JNFSEP3.js";
import"../page/page.js";

// src/mechanisms/duchi.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return ends("duchi/1", answers, keep, lie);
};
export {
  fromSpec
};
