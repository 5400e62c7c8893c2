/** The exponential mechanism: each point of score makes an option likelier by the same ratio. */

import { scored } from "../sampling/scores.js";
import type { MechanismModule } from "./base.js";

export const fromSpec: MechanismModule["fromSpec"] = (spec) =>
  scored("exponential/1", spec, (losses, keep, lie) => {
    const most = Math.max(...losses);
    return losses.map((loss) => keep ** BigInt(most - loss) * lie ** BigInt(loss));
  });
