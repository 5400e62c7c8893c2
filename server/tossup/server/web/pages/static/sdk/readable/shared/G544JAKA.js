import {
  kAry
} from "./P44434JT.js";
import {
  numbers
} from "./DZ5T3PNP.js";

// src/mechanisms/k-ary-randomized-response.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return kAry(answers, keep, lie);
};

export {
  fromSpec
};
//# sourceMappingURL=G544JAKA.js.map
