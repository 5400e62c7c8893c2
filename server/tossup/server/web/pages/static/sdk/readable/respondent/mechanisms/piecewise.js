import {
  windowed
} from "../shared/OWEJWQX6.js";
import "../shared/R7BVVZCC.js";
import "../shared/J7BYR3UE.js";
import {
  numbers
} from "../shared/WH7GYDMH.js";
import"../page/page.js";

// src/mechanisms/piecewise.ts
var fromSpec = (spec, answers) => ({
  ...windowed("piecewise/1", answers, numbers(spec, "window keep lie"))
});
export {
  fromSpec
};
