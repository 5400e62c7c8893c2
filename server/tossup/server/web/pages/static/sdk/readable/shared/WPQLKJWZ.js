import {
  check,
  checkTotal,
  odds
} from "./ZGTW6QBU.js";
import {
  isAbove
} from "./QSFGJONQ.js";

// src/sampling/tables.ts
var sum = (values) => values.reduce((total, value) => total + value, 0);
var largest = (ratios) => ratios.reduce((one, other) => isAbove(other, one) ? other : one);
function checkTable(table) {
  const rows = table.map(String);
  check(table.every((row) => row.length === table[0]?.length && row.every((weight) => weight >= 1)), "weights");
  checkTotal(sum(table[0] ?? []));
  check(new Set(table.map(sum)).size === 1, "rows with the same sum");
  check(new Set(rows).size > 1, "rows that differ");
}
var oddsOf = (table) => largest((table[0] ?? []).map((_, report) => {
  const column = table.map((row) => row[report]);
  return odds(Math.max(...column), Math.min(...column));
}));
function drawn(id, answerKind, table) {
  const total = sum(table[0]);
  const bounds = table.map((row) => row.slice(0, -1).map((_, at) => sum(row.slice(0, at + 1))));
  return {
    id,
    answerKind,
    answers: BigInt(table.length),
    reports: BigInt(table[0].length),
    odds: oddsOf(table),
    randomize(answer, coins) {
      const draw = coins.below(total);
      const found = bounds.map((row) => row.filter((bound) => draw >= bound).length);
      return BigInt(found[Number(answer)]);
    }
  };
}
var chancesOf = (table) => table.map((row) => row.map((weight) => odds(weight, sum(row))));

export {
  sum,
  largest,
  checkTable,
  drawn,
  chancesOf
};
//# sourceMappingURL=WPQLKJWZ.js.map
