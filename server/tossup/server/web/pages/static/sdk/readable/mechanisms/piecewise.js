import {
  windowed
} from "../shared/QW6NFA2R.js";
import "../shared/TDJWXKJO.js";
import "../shared/NJOZZSXN.js";
import {
  numbers
} from "../shared/QF2AWJEN.js";
import "../shared/5BMRU7X6.js";

// src/mechanisms/piecewise.ts
var fromSpec = (spec, answers) => ({
  ...windowed("piecewise/1", answers, numbers(spec, "window keep lie"))
});
export {
  fromSpec
};
//# sourceMappingURL=piecewise.js.map
