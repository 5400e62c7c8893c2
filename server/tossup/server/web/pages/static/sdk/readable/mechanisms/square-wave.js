import {
  windowed
} from "../shared/NWEH3IHW.js";
import "../shared/R7BVVZCC.js";
import "../shared/RU4QECN3.js";
import {
  numbers
} from "../shared/XVP6OM4I.js";
import "../shared/556CFHNP.js";

// src/mechanisms/square-wave.ts
var fromSpec = (spec, answers) => ({
  ...windowed("square-wave/1", answers, numbers(spec, "window keep lie")),
  rounding: "nearest"
});
export {
  fromSpec
};
//# sourceMappingURL=square-wave.js.map
