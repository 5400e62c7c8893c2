import {
  kAry,
  moved
} from "../shared/OBDUPNW4.js";
import {
  bytesForRun
} from "../shared/7UNATXEL.js";
import "../shared/RZ6CJKIU.js";
import {
  checkKeepAndLie,
  checkTotal,
  numbers,
  odds
} from "../shared/ZGTW6QBU.js";
import "../shared/QSFGJONQ.js";

// src/mechanisms/permanent-instantaneous.ts
var fromSpec = (spec, answers) => {
  const names = "keep lie again_keep again_lie";
  const [keep, lie, againKeep, againLie] = numbers(spec, names);
  const memory = kAry(answers, keep, lie);
  checkKeepAndLie(againKeep, againLie);
  const others = Number(answers) - 1;
  const [keptTotal, againTotal] = [keep + others * lie, againKeep + others * againLie];
  checkTotal(keptTotal * againTotal);
  const hit = keep * againKeep + others * lie * againLie;
  const miss = keep * againLie + lie * againKeep + (others - 1) * lie * againLie;
  const [truth, other] = [odds(hit, keptTotal * againTotal), odds(miss, keptTotal * againTotal)];
  const row = (at) => Array.from({ length: others + 1 }, (_, to) => to === at ? truth : other);
  const again = (kept, coins) => moved(kept, coins.below(againTotal), againKeep, againLie, answers);
  return {
    ...memory,
    id: "permanent-instantaneous/1",
    odds: odds(hit, miss),
    memory,
    again,
    stated: () => others > 31 ? { sentence: "option", chances: [other, truth].map((rate) => [{ n: rate.d - rate.n, d: rate.d }, rate]) } : { sentence: "answers", chances: Array.from({ length: others + 1 }, (_, at) => row(at)) },
    randomize(answer, coins) {
      coins.reserve(bytesForRun([keptTotal, againTotal]));
      return again(moved(answer, coins.below(keptTotal), keep, lie, answers), coins);
    }
  };
};
export {
  fromSpec
};
//# sourceMappingURL=permanent-instantaneous.js.map
