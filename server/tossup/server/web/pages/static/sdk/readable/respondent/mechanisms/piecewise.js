import {
  windowed
} from "../shared/KAZVE6WL.js";
import "../shared/TDJWXKJO.js";
import "../shared/KIUREEQN.js";
import {
  numbers
} from "../shared/UCKCAESS.js";
import"../page/page.js";

// src/mechanisms/piecewise.ts
var fromSpec = (spec, answers) => ({
  ...windowed("piecewise/1", answers, numbers(spec, "window keep lie"))
});
export {
  fromSpec
};
