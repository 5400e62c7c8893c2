import {
  windowed
} from "../shared/K6ZQIXLY.js";
import "../shared/R7BVVZCC.js";
import "../shared/WI7C5L7H.js";
import {
  numbers
} from "../shared/3SNUPGXL.js";
import "../shared/7KQQEI2G.js";

// src/mechanisms/piecewise.ts
var fromSpec = (spec, answers) => ({
  ...windowed("piecewise/1", answers, numbers(spec, "window keep lie"))
});
export {
  fromSpec
};
//# sourceMappingURL=piecewise.js.map
