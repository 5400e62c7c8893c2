import {
  windowed
} from "../shared/NQBETXU7.js";
import "../shared/R7BVVZCC.js";
import "../shared/45LBOM6A.js";
import {
  numbers
} from "../shared/HRRUQ74D.js";
import"../page/page.js";

// src/mechanisms/piecewise.ts
var fromSpec = (spec, answers) => ({
  ...windowed("piecewise/1", answers, numbers(spec, "window keep lie"))
});
export {
  fromSpec
};
