import {
  windowed
} from "../shared/PM4T7FER.js";
import "../shared/R7BVVZCC.js";
import "../shared/467D3HYW.js";
import {
  numbers
} from "../shared/JLZ5BSSY.js";
import"../page/page.js";

// src/mechanisms/square-wave.ts
var fromSpec = (spec, answers) => ({
  ...windowed("square-wave/1", answers, numbers(spec, "window keep lie")),
  rounding: "nearest"
});
export {
  fromSpec
};
