import {
  windowed
} from "../shared/XODMNZ6R.js";
import "../shared/R7BVVZCC.js";
import "../shared/Y3HY5GT7.js";
import {
  numbers
} from "../shared/S7DI6VBZ.js";
import "../shared/BYIAO6SI.js";

// src/mechanisms/piecewise.ts
var fromSpec = (spec, answers) => ({
  ...windowed("piecewise/1", answers, numbers(spec, "window keep lie"))
});
export {
  fromSpec
};
//# sourceMappingURL=piecewise.js.map
