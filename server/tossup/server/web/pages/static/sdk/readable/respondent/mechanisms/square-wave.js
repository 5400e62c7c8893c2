import {
  windowed
} from "../shared/DUTOJSY7.js";
import "../shared/R7BVVZCC.js";
import "../shared/DMJWSDVN.js";
import {
  numbers
} from "../shared/T2TDNCNS.js";
import"../page/page.js";

// src/mechanisms/square-wave.ts
var fromSpec = (spec, answers) => ({
  ...windowed("square-wave/1", answers, numbers(spec, "window keep lie")),
  rounding: "nearest"
});
export {
  fromSpec
};
