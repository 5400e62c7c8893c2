/** For tests and audits alone: the inner parts, and coins on recorded bytes. A page never loads this. */

export { Client } from "./client.js";
export { Coins, type ByteSource } from "./coins.js";
export { KINDS, ofOptions } from "./kinds/index.js";
export { MECHANISMS } from "./mechanisms/registry.js";
export { Refusal } from "./refusal.js";
export { parseSurvey } from "./survey.js";
export { b64, pack, reportBody, unb64url, verify, withdrawalBody } from "./wire.js";
