import {
  greatestDivisor
} from "../shared/TDJWXKJO.js";
import {
  drawn
} from "../shared/WPQLKJWZ.js";
import {
  check,
  checkTotal,
  numbers
} from "../shared/ZGTW6QBU.js";
import "../shared/QSFGJONQ.js";

// src/mechanisms/unrelated-question.ts
var fromSpec = (spec) => {
  const weights = numbers(spec, "own other forced");
  const [own, other, forced] = weights;
  check(Math.min(...weights) >= 1 && own > other, "own > other >= 1, forced >= 1");
  check(greatestDivisor(weights.map(BigInt)) === 1n, "weights in lowest terms");
  const total = own + other + 2 * forced;
  checkTotal(2 * total);
  const table = [0, 1, 2, 3].map((answer) => {
    const [first, second] = [answer & 1, answer >> 1];
    const [one, two] = [own * first + other * second, own * second + other * first];
    const [least, most] = [forced, total - forced];
    return [most - one, least + one, most - two, least + two];
  });
  return {
    ...drawn("unrelated-question/1", "several", table),
    isFor: (options, most) => options === 2 && most === 2
  };
};
export {
  fromSpec
};
//# sourceMappingURL=unrelated-question.js.map
