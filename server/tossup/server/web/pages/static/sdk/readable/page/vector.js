import {
  read
<<<<<<< HEAD
} from "../shared/5JNMMFQS.js";
import {
  all
} from "../shared/VGGIYULG.js";
import "../shared/6CIFB27M.js";
=======
} from "../shared/AUBCQS6N.js";
import {
  all
} from "../shared/P7DWNJ37.js";
import "../shared/556CFHNP.js";
>>>>>>> 6bcf1c49 (web: renew the browser SDK's files (#12))

// src/page/vector.ts
function field(fieldset) {
  const inputs = all(fieldset, "[data-number]");
  return () => {
    const answer = [];
    for (const input of inputs) {
      const found = read(input);
      if ("wrong" in found) return found;
      answer.push(found.answer);
    }
    return { answer };
  };
}
export {
  field
};
//# sourceMappingURL=vector.js.map
