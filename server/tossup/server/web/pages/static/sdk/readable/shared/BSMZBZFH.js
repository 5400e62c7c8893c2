// src/page/field.ts
var MISSING = { wrong: "missing" };
function all(within, selector) {
  return [...within.querySelectorAll(selector)];
}
var FIELDS = {
  "yes-no": () => ({ field: (fieldset) => () => pressed(fieldset, (id) => id === "yes") }),
  radio: () => ({ field: (fieldset) => () => pressed(fieldset, (id) => id) }),
  menu: () => ({ field: (fieldset) => () => chosen(fieldset.querySelector("select")?.value) }),
  ticks: () => import("../page/ticks.js"),
  number: () => import("../page/number.js"),
  vector: () => import("../page/vector.js"),
  text: () => import("../page/text.js"),
  order: () => import("../page/order.js")
};
function pressed(fieldset, meant) {
  const radio = all(fieldset, ":checked")[0];
  return radio ? { answer: meant(radio.value) } : MISSING;
}
function chosen(id) {
  return id ? { answer: id } : MISSING;
}

export {
  MISSING,
  all,
  FIELDS
};
//# sourceMappingURL=BSMZBZFH.js.map
