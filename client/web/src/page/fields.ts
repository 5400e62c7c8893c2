/** The fields other than yes and no, each loaded when a question has it. */

import type { FieldModule, Reader } from "./field.js";

const FIELDS: Readonly<Record<string, () => Promise<FieldModule>>> = {
  radio: () => import("./radio.js"),
  menu: () => import("./menu.js"),
  ticks: () => import("./ticks.js"),
  number: () => import("./number.js"),
  vector: () => import("./vector.js"),
  text: () => import("./text.js"),
  order: () => import("./order.js"),
};

/** Return what reads a field; undefined for one that this version does not know. */
export async function readerOf(fieldset: HTMLElement): Promise<Reader | undefined> {
  return (await FIELDS[fieldset.dataset["field"] as string]?.())?.field(fieldset);
}
