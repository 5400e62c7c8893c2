/** Randomized response by any table of two rows: Warner's, forced, crosswise and unrelated questions. */

import { check, checkKeys, list } from "../sampling/spec.js";
import { chancesOf, checkTable, drawn } from "../sampling/tables.js";
import type { MechanismModule } from "./base.js";

export const fromSpec: MechanismModule["fromSpec"] = (spec) => {
  checkKeys(spec, "weights");
  const rows = spec["weights"];
  check(Array.isArray(rows) && rows.length === 2, "weights of two rows");
  const table = rows.map((row) => list(row, "weights", 2, 2));
  checkTable(table);
  return {
    ...drawn("randomized-response/1", "choice", table),
    stated: () => ({ sentence: "answers", chances: chancesOf(table) }),
  };
};
