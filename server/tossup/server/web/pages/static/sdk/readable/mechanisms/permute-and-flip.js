import {
  elementary,
  scored
} from "../shared/KLCN7UT2.js";
import {
  leastMultiple
} from "../shared/TDJWXKJO.js";
import "../shared/WPQLKJWZ.js";
import "../shared/ZGTW6QBU.js";
import "../shared/QSFGJONQ.js";

// src/mechanisms/permute-and-flip.ts
var BITS = 64n;
var fromSpec = (spec) => scored("permute-and-flip/1", spec, (losses, keep, lie) => {
  const heads = losses.map((loss) => (lie ** BigInt(loss) << BITS) / keep ** BigInt(loss));
  const sums = elementary(heads, 1n, (a, b) => a * b);
  return heads.map((chance) => chance * integral(sums, chance));
});
function integral(sums, without) {
  const others = sums.length - 2;
  const unit = leastMultiple(Array.from({ length: others + 1 }, (_, size) => BigInt(size + 1)));
  let [total, product] = [0n, 0n];
  for (let size = 0; size <= others; size++) {
    product = sums[size] - without * product;
    const term = (product << BITS * BigInt(others - size)) * (unit / BigInt(size + 1));
    total += size % 2 ? -term : term;
  }
  return total;
}
export {
  fromSpec
};
//# sourceMappingURL=permute-and-flip.js.map
