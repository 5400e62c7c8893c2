// Answers a JSON list of [function, argument] on standard input with a JSON list of what they return.

import { pathToFileURL } from "node:url";
import * as mechanisms from "./mechanisms.mjs";

const sdk = await import(pathToFileURL(process.argv[2]));
let input = "";
for await (const part of process.stdin) input += part;
const found = [];
for (const [name, argument] of JSON.parse(input)) found.push(await mechanisms[name](sdk, argument));
console.log(JSON.stringify(found));
