import {
  windowed
} from "../shared/NJSULFDC.js";
import "../shared/R7BVVZCC.js";
import "../shared/K4I2R3OR.js";
import {
  numbers
} from "../shared/QAYYS2D5.js";
import "../shared/26JJDGDP.js";

// src/mechanisms/piecewise.ts
var fromSpec = (spec, answers) => ({
  ...windowed("piecewise/1", answers, numbers(spec, "window keep lie"))
});
export {
  fromSpec
};
//# sourceMappingURL=piecewise.js.map
