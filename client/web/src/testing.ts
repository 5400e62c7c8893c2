/** For tests and audits alone: mechanisms on recorded bytes. A page never loads this. */

export { Coins, type ByteSource } from "./coins.js";
export { KINDS, ofOptions } from "./kinds/index.js";
export { MECHANISMS } from "./mechanisms/index.js";
export { Refusal } from "./refusal.js";
