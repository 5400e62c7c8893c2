import {
  draws,
  symmetricUnary,
  told,
  unary
} from "../shared/OBDUPNW4.js";
import {
  bytesForRun
} from "../shared/7UNATXEL.js";
import "../shared/RZ6CJKIU.js";
import {
  check,
  mask,
  numbers
} from "../shared/ZGTW6QBU.js";
import "../shared/QSFGJONQ.js";

// src/mechanisms/rappor.ts
var fromSpec = (spec, answers) => {
  const [keep, lie, one, zero, outOf] = numbers(spec, "keep lie one zero out_of");
  const memory = symmetricUnary(answers, keep, lie);
  check(0 < zero && zero < one && one < outOf, "0 < zero < one < out_of");
  const turn = keep + lie;
  const options = Number(answers);
  const run = (...each) => bytesForRun(each.flatMap((size) => Array(options).fill(size)));
  let bytes;
  const needed = () => bytes ??= { wave: run(outOf), both: run(turn, outOf) };
  const shown = (kept, coins) => told(kept, draws(coins, options, outOf), one, zero);
  return {
    ...unary("rappor/1", answers, keep * one + lie * zero, lie * one + keep * zero, turn * outOf),
    memory,
    again(kept, coins) {
      coins.reserve(needed().wave);
      return shown(kept, coins);
    },
    randomize(answer, coins) {
      coins.reserve(needed().both);
      const turned = mask(draws(coins, options, turn).map((draw) => draw < lie));
      return shown(turned ^ 1n << answer, coins);
    }
  };
};
export {
  fromSpec
};
//# sourceMappingURL=rappor.js.map
