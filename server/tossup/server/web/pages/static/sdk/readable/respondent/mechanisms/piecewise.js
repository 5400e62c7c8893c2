import {
  windowed
} from "../shared/SHKNB676.js";
import "../shared/TDJWXKJO.js";
import "../shared/YJHIPBOC.js";
import {
  numbers
} from "../shared/3YUBTFZ7.js";
import"../page/page.js";

// src/mechanisms/piecewise.ts
var fromSpec = (spec, answers) => ({
  ...windowed("piecewise/1", answers, numbers(spec, "window keep lie"))
});
export {
  fromSpec
};
