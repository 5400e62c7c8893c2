import {
  windowed
} from "../shared/NGDF7V3O.js";
import "../shared/R7BVVZCC.js";
import "../shared/STOSR4J5.js";
import {
  numbers
} from "../shared/C65GXGM4.js";
import "../shared/3SBK66FU.js";

// src/mechanisms/square-wave.ts
var fromSpec = (spec, answers) => ({
  ...windowed("square-wave/1", answers, numbers(spec, "window keep lie")),
  rounding: "nearest"
});
export {
  fromSpec
};
//# sourceMappingURL=square-wave.js.map
