// The program that audits run: node perturb.mjs SDK SPEC ANSWERS [FAULT]. A line an answer, a line a report.

import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [path, spec, answers, fault] = process.argv.slice(2);
const sdk = await import(pathToFileURL(path));
const given = JSON.parse(spec);
const mechanism = (await sdk.MECHANISMS[given.name]()).fromSpec(given, BigInt(answers));

const random = (count) => crypto.getRandomValues(new Uint8Array(count));
/** What is wrong on purpose, by name. */
const SOURCES = {
  "first coin 3/4": (count) => random(count).map((byte) => byte & (random(1)[0] | 0xfe)),
  "second coin is heads": (count) => random(count).map((byte) => byte | 2),
};
const REPORTS = {
  "always the truth": (answer) => answer,
  "never the truth": (_, coins) => mechanism.randomize(0n, coins),
};
const randomize = REPORTS[fault] ?? ((answer, coins) => mechanism.randomize(answer, coins));

const lines = [];
for await (const line of createInterface({ input: process.stdin })) {
  lines.push(randomize(BigInt(line), new sdk.Coins(SOURCES[fault])));
}
process.stdout.write(lines.map((report) => `${report}\n`).join(""));
