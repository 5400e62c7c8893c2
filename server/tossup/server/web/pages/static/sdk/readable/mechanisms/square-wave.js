import {
  windowed
} from "../shared/YORYHW57.js";
import "../shared/R7BVVZCC.js";
import "../shared/ZDUDLLJN.js";
import {
  numbers
} from "../shared/BL6JMQTK.js";
import "../shared/PRYFKI73.js";

// src/mechanisms/square-wave.ts
var fromSpec = (spec, answers) => ({
  ...windowed("square-wave/1", answers, numbers(spec, "window keep lie")),
  rounding: "nearest"
});
export {
  fromSpec
};
//# sourceMappingURL=square-wave.js.map
