import {
  windowed
} from "../shared/IWC4HLEI.js";
import "../shared/R7BVVZCC.js";
import "../shared/PK4ZXC54.js";
import {
  numbers
} from "../shared/6JNFSEP3.js";
import"../page/page.js";

// src/mechanisms/piecewise.ts
var fromSpec = (spec, answers) => ({
  ...windowed("piecewise/1", answers, numbers(spec, "window keep lie"))
});
export {
  fromSpec
};
