/** Optimized unary encoding: the true option's bit is a fair coin, the others are rarely set. */

import { unary } from "../sampling/options.js";
import { checkKeepAndLie, numbers } from "../sampling/spec.js";
import type { MechanismModule } from "./base.js";

export const fromSpec: MechanismModule["fromSpec"] = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie") as [number, number];
  checkKeepAndLie(keep, lie);
  return unary("optimized-unary/1", answers, keep + lie, 2 * lie, 2 * (keep + lie));
};
