/** How a question is answered on the page: what every way of answering says of itself. */

/** What a respondent has put into a field; `wrong` names the message that says what is missing. */
export type Read = { readonly answer: unknown } | { readonly wrong: "missing" | "most" | "number" | "text" | "sure" };

/** Returns what is in the field now. */
export type Reader = () => Read;

/** What a module of a field exports: it prepares the field, and reads it when asked. */
export interface FieldModule {
  field(fieldset: HTMLElement): Reader;
}

export const MISSING: Read = { wrong: "missing" };

/** Return the elements that a selector finds, typed. */
export function all<E extends HTMLElement = HTMLInputElement>(within: ParentNode, selector: string): E[] {
  return [...within.querySelectorAll<E>(selector)];
}

/** The fields that need nothing but what a browser has; the others are loaded when they are asked. */
export const FIELDS: Readonly<Record<string, () => FieldModule | Promise<FieldModule>>> = {
  "yes-no": () => ({ field: (fieldset) => () => pressed(fieldset, (id) => id === "yes") }),
  radio: () => ({ field: (fieldset) => () => pressed(fieldset, (id) => id) }),
  menu: () => ({ field: (fieldset) => () => chosen(fieldset.querySelector("select")?.value) }),
  ticks: () => import("./ticks.js"),
  number: () => import("./number.js"),
  vector: () => import("./vector.js"),
  text: () => import("./text.js"),
  order: () => import("./order.js"),
};

function pressed(fieldset: HTMLElement, meant: (id: string) => unknown): Read {
  const radio = all(fieldset, ":checked")[0];
  return radio ? { answer: meant(radio.value) } : MISSING;
}

function chosen(id: string | undefined): Read {
  return id ? { answer: id } : MISSING;
}
