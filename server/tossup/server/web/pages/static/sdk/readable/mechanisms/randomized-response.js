import {
  chancesOf,
  checkTable,
  drawn
} from "../shared/WPQLKJWZ.js";
import {
  check,
  checkKeys,
  list
} from "../shared/ZGTW6QBU.js";
import "../shared/QSFGJONQ.js";

// src/mechanisms/randomized-response.ts
var fromSpec = (spec) => {
  checkKeys(spec, "weights");
  const rows = spec["weights"];
  check(Array.isArray(rows) && rows.length === 2, "weights of two rows");
  const table = rows.map((row) => list(row, "weights", 2, 2));
  checkTable(table);
  return {
    ...drawn("randomized-response/1", "choice", table),
    stated: () => ({ sentence: "answers", chances: chancesOf(table) })
  };
};
export {
  fromSpec
};
//# sourceMappingURL=randomized-response.js.map
