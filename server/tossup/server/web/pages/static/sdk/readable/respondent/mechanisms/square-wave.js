import {
  windowed
} from "../shared/SSNJZILM.js";
import "../shared/R7BVVZCC.js";
import "../shared/MFAXIUDU.js";
import {
  numbers
} from "../shared/5LWLKKI5.js";
import"../page/page.js";

// src/mechanisms/square-wave.ts
var fromSpec = (spec, answers) => ({
  ...windowed("square-wave/1", answers, numbers(spec, "window keep lie")),
  rounding: "nearest"
});
export {
  fromSpec
};
