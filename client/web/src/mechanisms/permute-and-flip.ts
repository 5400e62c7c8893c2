/** Permute and flip: options in random order toss a coin each, until one says heads. */

import { elementary, scored } from "../sampling/scores.js";
import { leastMultiple } from "../sampling/whole.js";
import type { MechanismModule } from "./base.js";

const BITS = 64n;

export const fromSpec: MechanismModule["fromSpec"] = (spec) =>
  scored("permute-and-flip/1", spec, (losses, keep, lie) => {
    const heads = losses.map((loss) => (lie ** BigInt(loss) << BITS) / keep ** BigInt(loss));
    const sums = elementary(heads, 1n, (a, b) => a * b);
    return heads.map((chance) => chance * integral(sums, chance));
  });

/** Return in proportion how often an option is reached: it is before those that would say heads. */
function integral(sums: readonly bigint[], without: bigint): bigint {
  const others = sums.length - 2;
  const unit = leastMultiple(Array.from({ length: others + 1 }, (_, size) => BigInt(size + 1)));
  let [total, product] = [0n, 0n];
  for (let size = 0; size <= others; size++) {
    product = (sums[size] as bigint) - without * product;
    const term = (product << (BITS * BigInt(others - size))) * (unit / BigInt(size + 1));
    total += size % 2 ? -term : term;
  }
  return total;
}
