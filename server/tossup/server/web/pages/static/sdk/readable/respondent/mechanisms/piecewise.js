import {
  windowed
} from "../shared/7HFSTXIU.js";
import "../shared/R7BVVZCC.js";
import "../shared/BFKPGDIU.js";
import {
  numbers
} from "../shared/5JM6JLH5.js";
import"../page/page.js";

// src/mechanisms/piecewise.ts
var fromSpec = (spec, answers) => ({
  ...windowed("piecewise/1", answers, numbers(spec, "window keep lie"))
});
export {
  fromSpec
};
