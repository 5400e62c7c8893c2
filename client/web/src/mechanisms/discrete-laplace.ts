/** Discrete Laplace noise, with a margin beyond the ends of the grid. */

import { decay } from "../sampling/grids.js";
import { checkKeys } from "../sampling/spec.js";
import type { MechanismModule } from "./base.js";

export const fromSpec: MechanismModule["fromSpec"] = (spec, answers) => {
  checkKeys(spec, "tails");
  return decay("discrete-laplace/1", answers, spec);
};
