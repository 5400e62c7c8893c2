import {
  windowed
} from "../shared/6RAIQUFX.js";
import "../shared/R7BVVZCC.js";
import "../shared/S64YJJQY.js";
import {
  numbers
} from "../shared/P4RNLGJS.js";
import "../shared/WJSAXMDD.js";

// src/mechanisms/piecewise.ts
var fromSpec = (spec, answers) => ({
  ...windowed("piecewise/1", answers, numbers(spec, "window keep lie"))
});
export {
  fromSpec
};
//# sourceMappingURL=piecewise.js.map
