import {
  grid,
  pointsOf
} from "../shared/P7ZKYTDG.js";
import {
  countUpTo
} from "../shared/TDJWXKJO.js";
import "../shared/WPQLKJWZ.js";
import {
  checkRatio,
  numbers,
  odds,
  whole
} from "../shared/ZGTW6QBU.js";
import "../shared/QSFGJONQ.js";

// src/mechanisms/staircase.ts
var fromSpec = (spec, answers) => {
  const [inner, keep, lie] = numbers(spec, "inner keep lie");
  const points = pointsOf(answers);
  const span = points - 1;
  checkRatio(keep, lie);
  whole(inner, "inner", 1, span);
  const sizes = Array.from({ length: 2 * span + 1 }, (_, size) => {
    const level = size < inner ? keep * keep : size < inner + span ? keep * lie : lie * lie;
    return level * (keep - (size <= span ? lie : 0));
  });
  let total = 0;
  const bounds = [...sizes.slice(1).reverse(), ...sizes].map((size) => total += size);
  return grid("staircase/1", answers, 3 * points - 2, odds(keep, lie), total, (answer, draw) => {
    const place = answer + countUpTo(bounds, draw) - 2 * span;
    return place + span + span * (Number(place < -span) - Number(place > 2 * span));
  });
};
export {
  fromSpec
};
//# sourceMappingURL=staircase.js.map
