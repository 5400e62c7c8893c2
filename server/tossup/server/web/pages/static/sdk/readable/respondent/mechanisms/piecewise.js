import {
  windowed
} from "../shared/QU53MPKQ.js";
import "../shared/R7BVVZCC.js";
import "../shared/MK5W24Q4.js";
import {
  numbers
} from "../shared/BKIISGPW.js";
import"../page/page.js";

// src/mechanisms/piecewise.ts
var fromSpec = (spec, answers) => ({
  ...windowed("piecewise/1", answers, numbers(spec, "window keep lie"))
});
export {
  fromSpec
};
