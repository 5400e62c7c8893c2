/** Piecewise: reports in a window around the answer are likelier; means are exact. */

import { windowed } from "../sampling/grids.js";
import { numbers } from "../sampling/spec.js";
import type { MechanismModule } from "./base.js";

export const fromSpec: MechanismModule["fromSpec"] = (spec, answers) => ({
  ...windowed("piecewise/1", answers, numbers(spec, "window keep lie") as [number, number, number]),
});
