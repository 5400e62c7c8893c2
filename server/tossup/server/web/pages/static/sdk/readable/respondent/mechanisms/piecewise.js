import {
  windowed
} from "../shared/62K6O4P5.js";
import "../shared/R7BVVZCC.js";
import "../shared/ARFBNBRX.js";
import {
  numbers
} from "../shared/NOKLIKL7.js";
import"../page/page.js";

// src/mechanisms/piecewise.ts
var fromSpec = (spec, answers) => ({
  ...windowed("piecewise/1", answers, numbers(spec, "window keep lie"))
});
export {
  fromSpec
};
