import {
  factorial
} from "../shared/TDJWXKJO.js";
import {
  sum
} from "../shared/WPQLKJWZ.js";
import {
  check,
  checkKeys,
  checkTotal,
  list,
  odds
} from "../shared/ZGTW6QBU.js";
import "../shared/QSFGJONQ.js";

// src/mechanisms/ranked-choice.ts
var fromSpec = (spec) => {
  checkKeys(spec, "by_rank");
  const weights = list(spec["by_rank"], "by_rank", 2, 10);
  const options = weights.length;
  const [first, last] = [weights[0], weights[options - 1]];
  check(last >= 1 && first > last, "weights above 0 that fall");
  check(weights.every((weight, rank) => !rank || weight <= weights[rank - 1]), "weights do not rise");
  const total = sum(weights);
  checkTotal(total);
  return {
    id: "ranked-choice/1",
    answerKind: "ranking",
    answers: BigInt(factorial(options)),
    reports: BigInt(options),
    odds: odds(first, last),
    randomize(answer, coins) {
      const draw = coins.below(total);
      const rank = weights.filter((_, at) => at + 1 < options && draw >= sum(weights.slice(0, at + 1))).length;
      return BigInt(orderOf(Number(answer), options)[rank]);
    }
  };
};
function orderOf(index, options) {
  const places = Array.from({ length: options }, (_, at) => {
    const place = index % (at + 1);
    index = Math.floor(index / (at + 1));
    return place;
  });
  const left = Array.from({ length: options }, (_, option) => option);
  return places.reverse().map((place) => left.splice(place, 1)[0]);
}
export {
  fromSpec
};
//# sourceMappingURL=ranked-choice.js.map
