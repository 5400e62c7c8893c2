import {
  setMechanism,
  ticks
} from "../shared/O2GQEWSV.js";
import {
  draws,
  told
} from "../shared/OBDUPNW4.js";
import {
  bytesForRun
} from "../shared/7UNATXEL.js";
import "../shared/RZ6CJKIU.js";
import {
  MOST,
  check,
  numbers,
  odds,
  power
} from "../shared/ZGTW6QBU.js";
import {
  isAbove,
  times
} from "../shared/QSFGJONQ.js";

// src/mechanisms/per-option-bits.ts
var fromSpec = (spec, answers) => {
  const [most, hit, miss, total] = numbers(spec, "most hit miss total");
  const { options, ...set } = setMechanism(answers, most);
  check(1 <= miss && miss < hit && hit < total && total <= MOST, "1 <= miss < hit < total <= 2 ** 32");
  const [hits, misses] = [odds(hit, miss), odds(total - miss, total - hit)];
  const [more, less] = isAbove(hits, misses) ? [hits, misses] : [misses, hits];
  let bytes;
  return {
    ...set,
    id: "per-option-bits/1",
    reports: answers,
    odds: times(power(more, most), power(less, Math.min(most, options - most))),
    stated: ticks(odds(miss, total), odds(hit, total)),
    randomize(answer, coins) {
      coins.reserve(bytes ??= bytesForRun(Array(options).fill(total)));
      return told(answer, draws(coins, options, total), hit, miss);
    }
  };
};
export {
  fromSpec
};
//# sourceMappingURL=per-option-bits.js.map
