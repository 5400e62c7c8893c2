import {
  MISSING,
  all
} from "../shared/VGGIYULG.js";
import "../shared/6CIFB27M.js";

// src/page/text.ts
function field(fieldset) {
  const input = all(fieldset, "[data-text]")[0];
  return () => input.value.trim() ? { answer: input.value } : MISSING;
}
export {
  field
};
//# sourceMappingURL=text.js.map
