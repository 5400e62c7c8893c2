import {
  windowed
} from "../shared/7TJYDU4S.js";
import "../shared/R7BVVZCC.js";
import "../shared/6GORJ3O2.js";
import {
  numbers
} from "../shared/EP62XFI6.js";
import "../shared/MBQPUHFF.js";

// src/mechanisms/piecewise.ts
var fromSpec = (spec, answers) => ({
  ...windowed("piecewise/1", answers, numbers(spec, "window keep lie"))
});
export {
  fromSpec
};
//# sourceMappingURL=piecewise.js.map
