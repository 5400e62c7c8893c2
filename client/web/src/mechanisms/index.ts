/** Mechanisms by their frozen names, loaded when a manifest first names one. */

import type { Coins } from "../coins.js";
import type { MechanismModule } from "./base.js";
import { fromSpec } from "./two-coin.js";

/** A mechanism's module, with the coins that it takes. */
export interface Loaded extends MechanismModule {
  /** Return new coins, for one answer. */
  coins(): Coins;
}

/** Return coins that are tossed once: the lowest bits of one byte, as `Coins` take them. */
const fewCoins = () => ({
  bits: (count: number) => BigInt.asUintN(count, BigInt(crypto.getRandomValues(new Uint8Array(1))[0] as number)),
});

/** Return the module of a mechanism; undefined if this version has none of that name. */
export async function load(name: string): Promise<Loaded | undefined> {
  // Two coins are what most surveys take: a page without others loads neither their names nor their coins.
  if (name === "two-coin/1") return { fromSpec, coins: fewCoins as () => Coins };
  return (await import("./registry.js")).loadNamed(name);
}
