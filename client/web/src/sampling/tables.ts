/** Mechanisms that have a weight for every answer and report. */

import type { Coins } from "../coins.js";
import type { Mechanism } from "../mechanisms/base.js";
import { isAbove, type Ratio } from "../ratio.js";
import { check, checkTotal, odds } from "./spec.js";

export type Table = readonly (readonly number[])[];

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
export const largest = (ratios: readonly Ratio[]): Ratio => ratios.reduce((one, other) => (isAbove(other, one) ? other : one));

/** Check that every report is possible whatever the answer, and that rows are comparable and differ. */
export function checkTable(table: Table): void {
  const rows = table.map(String);
  check(table.every((row) => row.length === table[0]?.length && row.every((weight) => weight >= 1)), "weights");
  checkTotal(sum(table[0] ?? []));
  check(new Set(table.map(sum)).size === 1, "rows with the same sum");
  check(new Set(rows).size > 1, "rows that differ");
}

/** Return the largest ratio of two answers' chances of the same report. */
const oddsOf = (table: Table): Ratio =>
  largest((table[0] ?? []).map((_, report) => {
    const column = table.map((row) => row[report] as number);
    return odds(Math.max(...column), Math.min(...column));
  }));

/** Return a mechanism that draws a report by the weights of the answer's row. */
export function drawn(id: string, answerKind: Mechanism["answerKind"], table: Table): Mechanism {
  const total = sum(table[0] as number[]);
  const bounds = table.map((row) => row.slice(0, -1).map((_, at) => sum(row.slice(0, at + 1))));
  return {
    id,
    answerKind,
    answers: BigInt(table.length),
    reports: BigInt((table[0] as number[]).length),
    odds: oddsOf(table),
    randomize(answer: bigint, coins: Coins): bigint {
      const draw = coins.below(total);
      // Every row is looked at, so that no time tells which one is the answer's.
      const found = bounds.map((row) => row.filter((bound) => draw >= bound).length);
      return BigInt(found[Number(answer)] as number);
    },
  };
}

/** Return the exact chances of a small table, for a preview. */
export const chancesOf = (table: Table): Ratio[][] =>
  table.map((row) => row.map((weight) => odds(weight, sum(row))));
