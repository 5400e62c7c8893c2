import {
  MAX_OPTIONS
} from "./OBDUPNW4.js";
import {
  bytesForRun
} from "./7UNATXEL.js";
import {
  bytesFor
} from "./RZ6CJKIU.js";
import {
  checkKeepAndLie,
  checkTotal,
  countOf,
  numbers,
  odds,
  whole
} from "./ZGTW6QBU.js";

// src/mechanisms/subset-selection.ts
var fromSpec = (spec, answers) => {
  const [size, keep, lie] = numbers(spec, "size keep lie");
  const options = countOf(answers, 2, MAX_OPTIONS);
  checkKeepAndLie(keep, lie);
  whole(size, "size", 1, options - 1);
  const total = size * keep + (options - size) * lie;
  checkTotal(total);
  let bytes;
  return {
    id: "subset-selection/1",
    answerKind: "choice",
    answers,
    reports: 1n << answers,
    odds: odds(keep, lie),
    stated() {
      const [p, q] = [odds(size * keep, total), odds(size * total - size * keep, total * (options - 1))];
      return { sentence: "option", chances: [q, p].map((rate) => [{ n: rate.d - rate.n, d: rate.d }, rate]), namesSeveral: true };
    },
    randomize(answer, coins) {
      bytes ??= bytesFor(total) + bytesForRun(Array.from({ length: size }, (_, place) => options - 1 - place));
      coins.reserve(bytes);
      const isIncluded = coins.below(total) < size * keep;
      const others = Array.from({ length: options - 1 }, (_, place) => place + 1);
      for (let place = 0; place < size; place++) {
        const other = place + coins.below(options - 1 - place);
        [others[place], others[other]] = [others[other], others[place]];
      }
      const chosen = others.slice(0, size - 1).reduce((set2, other) => set2 | 1n << BigInt(other), 0n);
      const set = chosen | (isIncluded ? 1n : 1n << BigInt(others[size - 1]));
      return BigInt.asUintN(options, set << answer | set >> answers - answer);
    }
  };
};

export {
  fromSpec
};
//# sourceMappingURL=OBYLJVEP.js.map
