import"../page/page.js";

// src/page/fields.ts
var FIELDS = {
  radio: () => import("./radio.js"),
  menu: () => import("./menu.js"),
  ticks: () => import("./ticks.js"),
  number: () => import("./number.js"),
  vector: () => import("./vector.js"),
  text: () => import("./text.js"),
  order: () => import("./order.js")
};
async function readerOf(fieldset) {
  return (await FIELDS[fieldset.dataset["field"]]?.())?.field(fieldset);
}
export {
  readerOf
};
