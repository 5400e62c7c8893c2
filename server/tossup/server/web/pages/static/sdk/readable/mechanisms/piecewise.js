import {
  windowed
} from "../shared/RJ452PKK.js";
import "../shared/R7BVVZCC.js";
import "../shared/DDTKHQQX.js";
import {
  numbers
} from "../shared/NTWOXCFD.js";
import "../shared/LZUHYOH2.js";

// src/mechanisms/piecewise.ts
var fromSpec = (spec, answers) => ({
  ...windowed("piecewise/1", answers, numbers(spec, "window keep lie"))
});
export {
  fromSpec
};
//# sourceMappingURL=piecewise.js.map
