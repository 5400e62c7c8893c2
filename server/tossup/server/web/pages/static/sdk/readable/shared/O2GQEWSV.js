import {
  check,
  whole
} from "./ZGTW6QBU.js";
import {
  ratio
} from "./QSFGJONQ.js";

// src/sampling/sets.ts
function setMechanism(answers, most) {
  const options = answers.toString(2).length - 1;
  check(options >= 1 && options <= 64 && answers === 1n << BigInt(options), "1 to 64 options");
  whole(most, "most", 1, options);
  return {
    options,
    answerKind: "several",
    answers,
    isFor: (count, ticked) => count === options && ticked === most
  };
}
var ticks = (q, p) => () => ({
  sentence: "ticks",
  chances: [q, p].map((rate) => [ratio(rate.d - rate.n, rate.d), rate]),
  namesSeveral: true
});

export {
  setMechanism,
  ticks
};
//# sourceMappingURL=O2GQEWSV.js.map
