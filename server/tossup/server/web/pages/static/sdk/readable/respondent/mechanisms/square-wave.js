import {
  windowed
} from "../shared/SHKNB676.js";
import "../shared/TDJWXKJO.js";
import "../shared/YJHIPBOC.js";
import {
  numbers
} from "../shared/3YUBTFZ7.js";
import"../page/page.js";

// src/mechanisms/square-wave.ts
var fromSpec = (spec, answers) => ({
  ...windowed("square-wave/1", answers, numbers(spec, "window keep lie")),
  rounding: "nearest"
});
export {
  fromSpec
};
