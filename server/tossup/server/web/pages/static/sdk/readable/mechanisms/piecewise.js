import {
  windowed
} from "../shared/IINEUG3B.js";
import "../shared/R7BVVZCC.js";
import "../shared/FKEAX5JS.js";
import {
  numbers
} from "../shared/VA7YJENC.js";
import "../shared/BJTFJTAA.js";

// src/mechanisms/piecewise.ts
var fromSpec = (spec, answers) => ({
  ...windowed("piecewise/1", answers, numbers(spec, "window keep lie"))
});
export {
  fromSpec
};
//# sourceMappingURL=piecewise.js.map
