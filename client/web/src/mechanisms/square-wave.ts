/** Square wave: a window around the answer; distributions are estimated. */

import { windowed } from "../sampling/grids.js";
import { numbers } from "../sampling/spec.js";
import type { MechanismModule } from "./base.js";

export const fromSpec: MechanismModule["fromSpec"] = (spec, answers) => ({
  ...windowed("square-wave/1", answers, numbers(spec, "window keep lie") as [number, number, number]), rounding: "nearest",
});
