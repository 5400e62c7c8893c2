import {
  windowed
} from "../shared/P7ZKYTDG.js";
import "../shared/TDJWXKJO.js";
import "../shared/WPQLKJWZ.js";
import {
  numbers
} from "../shared/ZGTW6QBU.js";
import "../shared/QSFGJONQ.js";

// src/mechanisms/piecewise.ts
var fromSpec = (spec, answers) => ({
  ...windowed("piecewise/1", answers, numbers(spec, "window keep lie"))
});
export {
  fromSpec
};
//# sourceMappingURL=piecewise.js.map
