/**
 * Whether a survey takes answers today, by its signed manifest and the device's clock. What that
 * clock says is never stored, since a clock that is wrong today may be right tomorrow.
 */

import { refuse } from "./refusal.js";
import type { Survey } from "./survey.js";

/** By how many days a clock may be wrong, either way. */
const GRACE = 1;
/** 2025-01-01, in days since 1970: a clock that shows an earlier day is not set. */
const EARLIEST = 20_089;

/** Return the number of a day since 1970, of today if none is given. */
export const dayNumber = (day?: string): number => Math.floor((day ? Date.parse(day) : Date.now()) / 864e5);

export const isOver = ({ closes }: Survey): boolean => closes !== null && dayNumber() - dayNumber(closes) > GRACE;

/** Refuse a survey that takes no answer today. */
export function checkDays(survey: Survey): void {
  const { opens, closes } = survey;
  if (!opens && !closes) return;
  if (isOver(survey)) refuse("closed", `on ${closes}`);
  if (dayNumber() < EARLIEST) refuse("not-open", "clock not set");
  if (opens && dayNumber(opens) - dayNumber() > GRACE) refuse("not-open", `until ${opens}`);
}
