import {
  windowed
} from "../shared/XLEUC2WM.js";
import "../shared/R7BVVZCC.js";
import "../shared/AS5LBUO2.js";
import {
  numbers
} from "../shared/DZ5T3PNP.js";
import "../shared/OABLWO2B.js";

// src/mechanisms/square-wave.ts
var fromSpec = (spec, answers) => ({
  ...windowed("square-wave/1", answers, numbers(spec, "window keep lie")),
  rounding: "nearest"
});
export {
  fromSpec
};
//# sourceMappingURL=square-wave.js.map
