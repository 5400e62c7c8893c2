import {
  windowed
} from "../shared/NQBETXU7.js";
import "../shared/R7BVVZCC.js";
import "../shared/45LBOM6A.js";
import {
  numbers
} from "../shared/HRRUQ74D.js";
import"../page/page.js";

// src/mechanisms/square-wave.ts
var fromSpec = (spec, answers) => ({
  ...windowed("square-wave/1", answers, numbers(spec, "window keep lie")),
  rounding: "nearest"
});
export {
  fromSpec
};
