import {
  MISSING,
  all
} from "../shared/BSMZBZFH.js";
import "../shared/7KQQEI2G.js";

// src/page/text.ts
function field(fieldset) {
  const input = all(fieldset, "[data-text]")[0];
  return () => input.value.trim() ? { answer: input.value } : MISSING;
}
export {
  field
};
//# sourceMappingURL=text.js.map
