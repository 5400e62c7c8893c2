/** Duchi's mechanism: low or high, the likelier the nearer. */

import { ends } from "../sampling/grids.js";
import { numbers } from "../sampling/spec.js";
import type { MechanismModule } from "./base.js";

export const fromSpec: MechanismModule["fromSpec"] = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie") as [number, number];
  return ends("duchi/1", answers, keep, lie);
};
