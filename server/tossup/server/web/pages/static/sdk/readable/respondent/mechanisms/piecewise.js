import {
  windowed
} from "../shared/NYOLYFYJ.js";
import "../shared/R7BVVZCC.js";
import "../shared/M7EBL5TS.js";
import {
  numbers
} from "../shared/C3ZFIKGH.js";
import"../page/page.js";

// src/mechanisms/piecewise.ts
var fromSpec = (spec, answers) => ({
  ...windowed("piecewise/1", answers, numbers(spec, "window keep lie"))
});
export {
  fromSpec
};
