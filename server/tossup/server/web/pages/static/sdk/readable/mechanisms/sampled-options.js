import {
  setMechanism,
  ticks
} from "../shared/O2GQEWSV.js";
import {
  draws
} from "../shared/OBDUPNW4.js";
import {
  bytesForRun
} from "../shared/7UNATXEL.js";
import "../shared/RZ6CJKIU.js";
import {
  MOST,
  check,
  checkKeepAndLie,
  checkTotal,
  mask,
  numbers,
  odds,
  power,
  whole
} from "../shared/ZGTW6QBU.js";
import "../shared/QSFGJONQ.js";

// src/mechanisms/sampled-options.ts
var fromSpec = (spec, answers) => {
  const [most, asked, keep, lie] = numbers(spec, "most asked keep lie");
  const { options, ...set } = setMechanism(answers, most);
  const total = keep + lie;
  checkKeepAndLie(keep, lie);
  whole(asked, "asked", 1, options);
  check(options * 2 ** asked <= MOST, "reports of at most 4 bytes");
  checkTotal(total);
  let bytes;
  return {
    ...set,
    id: "sampled-options/1",
    reports: BigInt(options) << BigInt(asked),
    odds: power(odds(keep, lie), Math.min(asked, 2 * most)),
    stated: ticks(odds(lie, total), odds(keep, total)),
    randomize(answer, coins) {
      coins.reserve(bytes ??= bytesForRun([options, ...Array(asked).fill(total)]));
      const first = BigInt(coins.below(options));
      const turned = mask(draws(coins, asked, total).map((draw) => draw < lie));
      const held = BigInt.asUintN(asked, answer >> first | answer << BigInt(options) - first);
      return first << BigInt(asked) | held ^ turned;
    }
  };
};
export {
  fromSpec
};
//# sourceMappingURL=sampled-options.js.map
