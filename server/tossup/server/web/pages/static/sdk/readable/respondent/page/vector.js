import {
  read
} from "../shared/3V5PHEMY.js";
import{all as all}from"../page/page.js";

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
