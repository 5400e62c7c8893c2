import {
  windowed
} from "../shared/KAZVE6WL.js";
import "../shared/TDJWXKJO.js";
import "../shared/KIUREEQN.js";
import {
  numbers
} from "../shared/UCKCAESS.js";
import"../page/page.js";

// src/mechanisms/square-wave.ts
var fromSpec = (spec, answers) => ({
  ...windowed("square-wave/1", answers, numbers(spec, "window keep lie")),
  rounding: "nearest"
});
export {
  fromSpec
};
