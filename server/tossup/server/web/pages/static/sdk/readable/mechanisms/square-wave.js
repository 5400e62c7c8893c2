import {
  windowed
} from "../shared/6RAIQUFX.js";
import "../shared/R7BVVZCC.js";
import "../shared/S64YJJQY.js";
import {
  numbers
} from "../shared/P4RNLGJS.js";
import "../shared/WJSAXMDD.js";

// src/mechanisms/square-wave.ts
var fromSpec = (spec, answers) => ({
  ...windowed("square-wave/1", answers, numbers(spec, "window keep lie")),
  rounding: "nearest"
});
export {
  fromSpec
};
//# sourceMappingURL=square-wave.js.map
