/**
 * Tossup in a browser: the coins are tossed on the respondent's own device, and only the
 * randomized report is sent.
 */

export { Client, type FlushResult, type Odds, type Options } from "./client.js";
export type { Outcome } from "./outcome.js";
export type { Preview, QuestionPreview } from "./preview.js";
export type { Ratio } from "./ratio.js";
export { Refusal } from "./refusal.js";
export type { Spending, Status } from "./status.js";
export type { How } from "./tossing.js";
export type { Attribute, Option, Question, Survey, Text } from "./survey.js";
export type { Waves, WaveStatus } from "./waves.js";
