import {
  windowed
} from "../shared/WXOYHKB5.js";
import "../shared/R7BVVZCC.js";
import "../shared/QVYMWNN2.js";
import {
  numbers
} from "../shared/BAAU4PZL.js";
import "../shared/DOIPVP3Z.js";

// src/mechanisms/square-wave.ts
var fromSpec = (spec, answers) => ({
  ...windowed("square-wave/1", answers, numbers(spec, "window keep lie")),
  rounding: "nearest"
});
export {
  fromSpec
};
//# sourceMappingURL=square-wave.js.map
