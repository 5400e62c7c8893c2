import {
  windowed
} from "../shared/62K6O4P5.js";
import "../shared/R7BVVZCC.js";
import "../shared/ARFBNBRX.js";
import {
  numbers
} from "../shared/NOKLIKL7.js";
import"../page/page.js";

// src/mechanisms/square-wave.ts
var fromSpec = (spec, answers) => ({
  ...windowed("square-wave/1", answers, numbers(spec, "window keep lie")),
  rounding: "nearest"
});
export {
  fromSpec
};
