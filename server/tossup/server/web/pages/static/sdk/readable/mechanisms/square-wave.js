import {
  windowed
} from "../shared/P7ZKYTDG.js";
import "../shared/TDJWXKJO.js";
import "../shared/WPQLKJWZ.js";
import {
  numbers
} from "../shared/ZGTW6QBU.js";
import "../shared/QSFGJONQ.js";

// src/mechanisms/square-wave.ts
var fromSpec = (spec, answers) => ({
  ...windowed("square-wave/1", answers, numbers(spec, "window keep lie")),
  rounding: "nearest"
});
export {
  fromSpec
};
//# sourceMappingURL=square-wave.js.map
