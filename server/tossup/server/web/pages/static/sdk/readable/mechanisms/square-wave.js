import {
  windowed
} from "../shared/RJ452PKK.js";
import "../shared/R7BVVZCC.js";
import "../shared/DDTKHQQX.js";
import {
  numbers
} from "../shared/NTWOXCFD.js";
import "../shared/LZUHYOH2.js";

// src/mechanisms/square-wave.ts
var fromSpec = (spec, answers) => ({
  ...windowed("square-wave/1", answers, numbers(spec, "window keep lie")),
  rounding: "nearest"
});
export {
  fromSpec
};
//# sourceMappingURL=square-wave.js.map
