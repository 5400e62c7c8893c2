import {
  chancesOf,
  checkTable,
  drawn
} from "../shared/YJHIPBOC.js";
import {
  check,
  checkKeys,
  list
} from "../shared/3YUBTFZ7.js";
import"../page/page.js";

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
