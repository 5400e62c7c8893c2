import {
  windowed
} from "../shared/SSNJZILM.js";
import "../shared/R7BVVZCC.js";
import "../shared/MFAXIUDU.js";
import {
  numbers
} from "../shared/5LWLKKI5.js";
import"../page/page.js";

// src/mechanisms/piecewise.ts
var fromSpec = (spec, answers) => ({
  ...windowed("piecewise/1", answers, numbers(spec, "window keep lie"))
});
export {
  fromSpec
};
