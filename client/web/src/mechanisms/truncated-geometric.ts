/** Geometric noise that is held at the ends of the grid. */

import { decay } from "../sampling/grids.js";
import { check, checkKeys } from "../sampling/spec.js";
import type { MechanismModule } from "./base.js";

export const fromSpec: MechanismModule["fromSpec"] = (spec, answers) => {
  checkKeys(spec, "tails");
  const made = decay("truncated-geometric/1", answers, spec);
  check(!made.margin, "a tail for every point");
  return made;
};
