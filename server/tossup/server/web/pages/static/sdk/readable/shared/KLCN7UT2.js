import {
  greatestDivisor,
  leastMultiple
} from "./TDJWXKJO.js";
import {
  chancesOf,
  checkTable,
  drawn
} from "./WPQLKJWZ.js";
import {
  MOST,
  check,
  checkKeys,
  checkRatio,
  list,
  whole
} from "./ZGTW6QBU.js";

// src/sampling/scores.ts
function scored(id, spec, masses) {
  checkKeys(spec, "utility keep lie");
  const [given, keep, lie] = [spec["utility"], whole(spec["keep"], "keep"), whole(spec["lie"], "lie")];
  check(Array.isArray(given) && given.length >= 2 && given.length <= 32, "utility of 2 to 32 rows");
  const utility = given.map((row) => list(row, "utility", given.length, given.length));
  utility.forEach((row, answer) => {
    const best = Math.max(...row);
    check(row.every((score) => Math.abs(score) <= 1e9) && row[answer] === best, "the answer has the highest score");
    check(best - Math.min(...row) <= 1023, "scores at most 1023 apart");
  });
  checkRatio(keep, lie);
  check(keep <= 2 ** 48, "keep of at most 2 ** 48");
  const table = integerTable(utility.map(weighed(masses, BigInt(keep), BigInt(lie))));
  checkTable(table);
  check(new Set(table.map(String)).size === table.length, "rows that differ");
  return { ...drawn(id, "choice", table), stated: () => ({ sentence: "scores", chances: chancesOf(table) }) };
}
function weighed(masses, keep, lie) {
  const known = /* @__PURE__ */ new Map();
  return (scores) => {
    const best = Math.max(...scores);
    const losses = scores.map((score) => best - score);
    const ordered = [...losses].sort((a, b) => a - b);
    const found = known.get(`${ordered}`) ?? masses(ordered, keep, lie);
    known.set(`${ordered}`, found);
    return losses.map((loss) => found[ordered.indexOf(loss)]);
  };
}
var total = (row) => row.reduce((sum, weight) => sum + weight, 0n);
function integerTable(rows) {
  const reduced = rows.map((row) => {
    const divisor = greatestDivisor(row);
    return row.map((weight) => weight / divisor);
  });
  const common = leastMultiple(reduced.map(total));
  return reduced.map((row) => {
    if (common <= MOST) return row.map((weight) => Number(weight * (common / total(row))));
    const weights = row.map((weight) => Number(weight * BigInt(MOST) / total(row)));
    const first = weights.indexOf(Math.max(...weights));
    weights[first] = weights.reduce((left, weight, at) => at === first ? left : left - weight, MOST);
    return weights;
  });
}
function elementary(values, one, times) {
  return values.reduce(
    (sums, value) => [...sums, 0n].map((sum, size) => sum + (size ? times(value, sums[size - 1]) : 0n)),
    [one]
  );
}

export {
  scored,
  elementary
};
//# sourceMappingURL=KLCN7UT2.js.map
