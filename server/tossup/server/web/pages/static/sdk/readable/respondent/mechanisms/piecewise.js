import {
  windowed
} from "../shared/HJQAVPYX.js";
import "../shared/R7BVVZCC.js";
import "../shared/BTNPDKRO.js";
import {
  numbers
} from "../shared/W7JX4ZXR.js";
import"../page/page.js";

// src/mechanisms/piecewise.ts
var fromSpec = (spec, answers) => ({
  ...windowed("piecewise/1", answers, numbers(spec, "window keep lie"))
});
export {
  fromSpec
};
