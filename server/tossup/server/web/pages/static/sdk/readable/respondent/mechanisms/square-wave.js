import {
  windowed
} from "../shared/HJQAVPYX.js";
import "../shared/R7BVVZCC.js";
import "../shared/BTNPDKRO.js";
import {
  numbers
} from "../shared/W7JX4ZXR.js";
import"../page/page.js";

// src/mechanisms/square-wave.ts
var fromSpec = (spec, answers) => ({
  ...windowed("square-wave/1", answers, numbers(spec, "window keep lie")),
  rounding: "nearest"
});
export {
  fromSpec
};
