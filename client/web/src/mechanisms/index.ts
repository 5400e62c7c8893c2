/** Mechanisms by their frozen names, loaded when a manifest first names one. */

import type { MechanismModule } from "./base.js";

/** Return the module of a mechanism; undefined if this version has none of that name. */
export async function load(name: string): Promise<MechanismModule | undefined> {
  // Two coins are what most surveys take; a page without others need not load all their names.
  if (name === "two-coin/1") return import("./two-coin.js");
  const { MECHANISMS } = await import("./registry.js");
  return Object.hasOwn(MECHANISMS, name) ? MECHANISMS[name]?.() : undefined;
}
