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

/** Return the value of the option that is pressed, if there is one. */
export function pressed(fieldset: HTMLElement, meant: (id: string) => unknown): Read {
  const radio = all(fieldset, ":checked")[0];
  return radio ? { answer: meant(radio.value) } : MISSING;
}
