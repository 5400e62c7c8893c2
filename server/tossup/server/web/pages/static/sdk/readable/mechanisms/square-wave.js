import {
  windowed
} from "../shared/CESNX27B.js";
import "../shared/R7BVVZCC.js";
import "../shared/WSYQ6NKG.js";
import {
  numbers
} from "../shared/XDWR6KND.js";
import "../shared/6O6AZUJI.js";

// src/mechanisms/square-wave.ts
var fromSpec = (spec, answers) => ({
  ...windowed("square-wave/1", answers, numbers(spec, "window keep lie")),
  rounding: "nearest"
});
export {
  fromSpec
};
//# sourceMappingURL=square-wave.js.map
