import {
  kAry
} from "./UMDAXZOS.js";
import {
  numbers
} from "./EP62XFI6.js";

// src/mechanisms/k-ary-randomized-response.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return kAry(answers, keep, lie);
};

export {
  fromSpec
};
//# sourceMappingURL=XPYJLFVR.js.map
