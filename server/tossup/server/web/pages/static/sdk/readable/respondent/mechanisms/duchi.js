import {
  ends
} from "../shared/KAZVE6WL.js";
import "../shared/TDJWXKJO.js";
import "../shared/KIUREEQN.js";
import {
  numbers
} from "../shared/UCKCAESS.js";
import"../page/page.js";

// src/mechanisms/duchi.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return ends("duchi/1", answers, keep, lie);
};
export {
  fromSpec
};
