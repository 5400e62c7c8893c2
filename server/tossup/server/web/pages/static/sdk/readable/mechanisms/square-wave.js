import {
  windowed
} from "../shared/7TJYDU4S.js";
import "../shared/R7BVVZCC.js";
import "../shared/6GORJ3O2.js";
import {
  numbers
} from "../shared/EP62XFI6.js";
import "../shared/MBQPUHFF.js";

// src/mechanisms/square-wave.ts
var fromSpec = (spec, answers) => ({
  ...windowed("square-wave/1", answers, numbers(spec, "window keep lie")),
  rounding: "nearest"
});
export {
  fromSpec
};
//# sourceMappingURL=square-wave.js.map
