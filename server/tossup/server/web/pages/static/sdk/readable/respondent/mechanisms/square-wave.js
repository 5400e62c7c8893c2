import {
  windowed
} from "../shared/OWEJWQX6.js";
import "../shared/R7BVVZCC.js";
import "../shared/J7BYR3UE.js";
import {
  numbers
} from "../shared/WH7GYDMH.js";
import"../page/page.js";

// src/mechanisms/square-wave.ts
var fromSpec = (spec, answers) => ({
  ...windowed("square-wave/1", answers, numbers(spec, "window keep lie")),
  rounding: "nearest"
});
export {
  fromSpec
};
