/** Mechanisms by their frozen names; each is loaded when a manifest first names it. */

import type { MechanismModule } from "./base.js";

export const MECHANISMS: Readonly<Record<string, () => Promise<MechanismModule>>> = {
  "two-coin/1": () => import("./two-coin.js"),
};
