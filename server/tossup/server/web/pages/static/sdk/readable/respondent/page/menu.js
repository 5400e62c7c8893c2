import{MISSING as MISSING}from"../page/page.js";

// src/page/menu.ts
function field(fieldset) {
  const menu = fieldset.querySelector("select");
  return () => menu.value ? { answer: menu.value } : MISSING;
}
export {
  field
};
