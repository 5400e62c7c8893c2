import {
  windowed
} from "../shared/NYOLYFYJ.js";
import "../shared/R7BVVZCC.js";
import "../shared/M7EBL5TS.js";
import {
  numbers
} from "../shared/C3ZFIKGH.js";
import"../page/page.js";

// src/mechanisms/square-wave.ts
var fromSpec = (spec, answers) => ({
  ...windowed("square-wave/1", answers, numbers(spec, "window keep lie")),
  rounding: "nearest"
});
export {
  fromSpec
};
