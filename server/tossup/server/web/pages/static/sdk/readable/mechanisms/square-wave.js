import {
  windowed
} from "../shared/XODMNZ6R.js";
import "../shared/R7BVVZCC.js";
import "../shared/Y3HY5GT7.js";
import {
  numbers
} from "../shared/S7DI6VBZ.js";
import "../shared/BYIAO6SI.js";

// src/mechanisms/square-wave.ts
var fromSpec = (spec, answers) => ({
  ...windowed("square-wave/1", answers, numbers(spec, "window keep lie")),
  rounding: "nearest"
});
export {
  fromSpec
};
//# sourceMappingURL=square-wave.js.map
