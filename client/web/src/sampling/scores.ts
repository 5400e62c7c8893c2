/** Mechanisms that choose one of the options by scores: the higher its score, the likelier it is. */

import type { Mechanism } from "../mechanisms/base.js";
import { check, checkKeys, checkRatio, list, MOST, type Spec, whole } from "./spec.js";
import { chancesOf, checkTable, drawn, type Table } from "./tables.js";
import { greatestDivisor, leastMultiple } from "./whole.js";

/** Returns what weighs an option by how far its score is below the best, for each in turn. */
export type Masses = (losses: readonly number[], keep: bigint, lie: bigint) => readonly bigint[];

export function scored(id: string, spec: Spec, masses: Masses): Mechanism {
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

/** Return what weighs a row of scores; rows of the same scores in another order are weighed once. */
function weighed(masses: Masses, keep: bigint, lie: bigint): (scores: readonly number[]) => bigint[] {
  const known = new Map<string, readonly bigint[]>();
  return (scores) => {
    const best = Math.max(...scores);
    const losses = scores.map((score) => best - score);
    const ordered = [...losses].sort((a, b) => a - b);
    const found = known.get(`${ordered}`) ?? masses(ordered, keep, lie);
    known.set(`${ordered}`, found);
    return losses.map((loss) => found[ordered.indexOf(loss)] as bigint);
  };
}

const total = (row: readonly bigint[]): bigint => row.reduce((sum, weight) => sum + weight, 0n);

/** Return rows of the same sum: exact where it is at most 2 ** 32, else rounded to that sum. */
function integerTable(rows: readonly bigint[][]): Table {
  const reduced = rows.map((row) => {
    const divisor = greatestDivisor(row);
    return row.map((weight) => weight / divisor);
  });
  const common = leastMultiple(reduced.map(total));
  return reduced.map((row) => {
    if (common <= MOST) return row.map((weight) => Number(weight * (common / total(row))));
    const weights = row.map((weight) => Number((weight * BigInt(MOST)) / total(row)));
    const first = weights.indexOf(Math.max(...weights));
    weights[first] = weights.reduce((left, weight, at) => (at === first ? left : left - weight), MOST);
    return weights;
  });
}

/** Return the elementary symmetric sums of values, the empty product first. */
export function elementary(values: readonly bigint[], one: bigint, times: (a: bigint, b: bigint) => bigint): bigint[] {
  return values.reduce(
    (sums, value) => [...sums, 0n].map((sum, size) => sum + (size ? times(value, sums[size - 1] as bigint) : 0n)),
    [one],
  );
}
