/**
 * Tossup in a browser: the coins are tossed on the respondent's own device, and only the
 * randomized report is sent.
 */

export type { Ratio } from "./ratio.js";
