import {
  MISSING,
  all
<<<<<<< HEAD
} from "../shared/VGGIYULG.js";
import "../shared/6CIFB27M.js";
=======
} from "../shared/P7DWNJ37.js";
import "../shared/556CFHNP.js";
>>>>>>> 6bcf1c49 (web: renew the browser SDK's files (#12))

// src/page/text.ts
function field(fieldset) {
  const input = all(fieldset, "[data-text]")[0];
  return () => input.value.trim() ? { answer: input.value } : MISSING;
}
export {
  field
};
//# sourceMappingURL=text.js.map
