import {
  grid,
  pointsOf
} from "../shared/P7ZKYTDG.js";
import "../shared/TDJWXKJO.js";
import "../shared/WPQLKJWZ.js";
import {
  check,
  checkRatio,
  checkTotal,
  numbers,
  odds
} from "../shared/ZGTW6QBU.js";
import {
  isAbove
} from "../shared/QSFGJONQ.js";

// src/mechanisms/three-outputs.ts
var fromSpec = (spec, answers) => {
  const [neither, sides, keep, lie] = numbers(spec, "neither sides keep lie");
  const steps = pointsOf(answers) - 1;
  checkRatio(keep, lie);
  check(neither >= 1 && sides >= 1 && odds(neither, sides).n === BigInt(neither), "neither and sides in lowest terms");
  const parts = neither + sides;
  check(!isAbove(odds(neither, parts), odds(keep, keep + 2 * lie)), "neither of at most keep / (keep + 2 lie)");
  const total = 2 * parts * keep * (keep + lie) * steps;
  checkTotal(total);
  return grid("three-outputs/1", answers, 3, odds(keep, lie), total, (answer, draw) => {
    const away = 2 * answer - steps;
    const between = 2 * (keep + lie) * neither * (keep * steps - (keep - lie) * Math.abs(away));
    const rest = total - between;
    const low = rest - Math.floor((rest + 2 * (keep - lie) * (keep * parts - neither * lie) * away) / 2);
    return Number(draw >= low) + Number(draw >= low + between);
  });
};
export {
  fromSpec
};
//# sourceMappingURL=three-outputs.js.map
