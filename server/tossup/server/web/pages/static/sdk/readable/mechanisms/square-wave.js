import {
  windowed
} from "../shared/5CLAWNGL.js";
import "../shared/R7BVVZCC.js";
import "../shared/QFIBO5I6.js";
import {
  numbers
} from "../shared/565UPYFV.js";
import "../shared/IW6C537W.js";

// src/mechanisms/square-wave.ts
var fromSpec = (spec, answers) => ({
  ...windowed("square-wave/1", answers, numbers(spec, "window keep lie")),
  rounding: "nearest"
});
export {
  fromSpec
};
//# sourceMappingURL=square-wave.js.map
