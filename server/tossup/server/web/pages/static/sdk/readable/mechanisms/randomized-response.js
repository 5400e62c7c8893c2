import {
  chancesOf,
  checkTable,
  drawn
} from "../shared/FKEAX5JS.js";
import {
  check,
  checkKeys,
  list
} from "../shared/VA7YJENC.js";
import "../shared/BJTFJTAA.js";

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
