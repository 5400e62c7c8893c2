import {
  windowed
} from "../shared/QGJX3Q2C.js";
import "../shared/R7BVVZCC.js";
import "../shared/PWSZPN5G.js";
import {
  numbers
} from "../shared/ZAAYOKEC.js";
import"../page/page.js";

// src/mechanisms/piecewise.ts
var fromSpec = (spec, answers) => ({
  ...windowed("piecewise/1", answers, numbers(spec, "window keep lie"))
});
export {
  fromSpec
};
