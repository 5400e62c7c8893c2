import {
  read
} from "../shared/4ZTKCTBB.js";
import {
  all
} from "../shared/BSMZBZFH.js";
import "../shared/7KQQEI2G.js";

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
