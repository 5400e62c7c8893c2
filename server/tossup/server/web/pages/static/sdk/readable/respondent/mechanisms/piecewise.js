import {
  windowed
} from "../shared/PM4T7FER.js";
import "../shared/R7BVVZCC.js";
import "../shared/467D3HYW.js";
import {
  numbers
} from "../shared/JLZ5BSSY.js";
import"../page/page.js";

// src/mechanisms/piecewise.ts
var fromSpec = (spec, answers) => ({
  ...windowed("piecewise/1", answers, numbers(spec, "window keep lie"))
});
export {
  fromSpec
};
