import {
  windowed
} from "../shared/NWEH3IHW.js";
import "../shared/R7BVVZCC.js";
import "../shared/RU4QECN3.js";
import {
  numbers
} from "../shared/XVP6OM4I.js";
import "../shared/556CFHNP.js";

// src/mechanisms/piecewise.ts
var fromSpec = (spec, answers) => ({
  ...windowed("piecewise/1", answers, numbers(spec, "window keep lie"))
});
export {
  fromSpec
};
//# sourceMappingURL=piecewise.js.map
