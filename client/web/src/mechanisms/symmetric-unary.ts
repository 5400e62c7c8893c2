/** Symmetric unary encoding: a bit for every option, each turned with the same chance. */

import { symmetricUnary } from "../sampling/options.js";
import { numbers } from "../sampling/spec.js";
import type { MechanismModule } from "./base.js";

export const fromSpec: MechanismModule["fromSpec"] = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie") as [number, number];
  return symmetricUnary(answers, keep, lie);
};
