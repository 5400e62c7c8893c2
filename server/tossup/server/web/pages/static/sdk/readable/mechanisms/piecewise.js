import {
  windowed
} from "../shared/WXOYHKB5.js";
import "../shared/R7BVVZCC.js";
import "../shared/QVYMWNN2.js";
import {
  numbers
} from "../shared/BAAU4PZL.js";
import "../shared/DOIPVP3Z.js";

// src/mechanisms/piecewise.ts
var fromSpec = (spec, answers) => ({
  ...windowed("piecewise/1", answers, numbers(spec, "window keep lie"))
});
export {
  fromSpec
};
//# sourceMappingURL=piecewise.js.map
