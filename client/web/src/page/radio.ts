/** One of several options, all of which are seen. */

import { pressed, type Reader } from "./field.js";

export const field = (fieldset: HTMLElement): Reader => () => pressed(fieldset, (id) => id);
