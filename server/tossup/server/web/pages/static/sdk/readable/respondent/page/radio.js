import{pressed as pressed}from"../page/page.js";

// src/page/radio.ts
var field = (fieldset) => () => pressed(fieldset, (id) => id);
export {
  field
};
