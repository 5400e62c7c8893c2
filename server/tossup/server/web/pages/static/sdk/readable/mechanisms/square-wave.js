import {
  windowed
} from "../shared/NJSULFDC.js";
import "../shared/R7BVVZCC.js";
import "../shared/K4I2R3OR.js";
import {
  numbers
} from "../shared/QAYYS2D5.js";
import "../shared/26JJDGDP.js";

// src/mechanisms/square-wave.ts
var fromSpec = (spec, answers) => ({
  ...windowed("square-wave/1", answers, numbers(spec, "window keep lie")),
  rounding: "nearest"
});
export {
  fromSpec
};
//# sourceMappingURL=square-wave.js.map
