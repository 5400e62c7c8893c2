/** The fields other than yes and no, each loaded when a question has it. */

import type { FieldModule } from "./field.js";

export const FIELDS: Readonly<Record<string, () => Promise<FieldModule>>> = {
  radio: () => import("./radio.js"),
  menu: () => import("./menu.js"),
  ticks: () => import("./ticks.js"),
  number: () => import("./number.js"),
  vector: () => import("./vector.js"),
  text: () => import("./text.js"),
  order: () => import("./order.js"),
};
