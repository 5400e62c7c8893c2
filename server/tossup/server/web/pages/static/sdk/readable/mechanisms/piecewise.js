import {
  windowed
} from "../shared/YORYHW57.js";
import "../shared/R7BVVZCC.js";
import "../shared/ZDUDLLJN.js";
import {
  numbers
} from "../shared/BL6JMQTK.js";
import "../shared/PRYFKI73.js";

// src/mechanisms/piecewise.ts
var fromSpec = (spec, answers) => ({
  ...windowed("piecewise/1", answers, numbers(spec, "window keep lie"))
});
export {
  fromSpec
};
//# sourceMappingURL=piecewise.js.map
