import {
  windowed
} from "../shared/OPIH232V.js";
import "../shared/R7BVVZCC.js";
import "../shared/Z3QNIUSL.js";
import {
  numbers
} from "../shared/3JW6NCQS.js";
import"../page/page.js";

// src/mechanisms/square-wave.ts
var fromSpec = (spec, answers) => ({
  ...windowed("square-wave/1", answers, numbers(spec, "window keep lie")),
  rounding: "nearest"
});
export {
  fromSpec
};
