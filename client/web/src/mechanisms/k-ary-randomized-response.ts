/** k-ary randomized response: the truth, or one of the other options, each as likely. */

import { kAry } from "../sampling/options.js";
import { numbers } from "../sampling/spec.js";
import type { MechanismModule } from "./base.js";

export const fromSpec: MechanismModule["fromSpec"] = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie") as [number, number];
  return kAry(answers, keep, lie);
};
