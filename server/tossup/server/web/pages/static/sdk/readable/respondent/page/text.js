import{MISSING as MISSING,all as all}from"../page/page.js";

// src/page/text.ts
function field(fieldset) {
  const input = all(fieldset, "[data-text]")[0];
  return () => input.value.trim() ? { answer: input.value } : MISSING;
}
export {
  field
};
