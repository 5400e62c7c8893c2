import {
  windowed
} from "../shared/IINEUG3B.js";
import "../shared/R7BVVZCC.js";
import "../shared/FKEAX5JS.js";
import {
  numbers
} from "../shared/VA7YJENC.js";
import "../shared/BJTFJTAA.js";

// src/mechanisms/square-wave.ts
var fromSpec = (spec, answers) => ({
  ...windowed("square-wave/1", answers, numbers(spec, "window keep lie")),
  rounding: "nearest"
});
export {
  fromSpec
};
//# sourceMappingURL=square-wave.js.map
