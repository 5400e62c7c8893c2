// Reads lines of {envelope, key}, both in base64url, and says of each what the browser SDK makes of it.

import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const sdk = await import(pathToFileURL(process.argv[2]));
const text = (ratio) => `${ratio.n}/${ratio.d}`;

for await (const line of createInterface({ input: process.stdin })) {
  const { envelope, key } = JSON.parse(line);
  const bytes = (part) => new Uint8Array(Buffer.from(part, "base64url"));
  try {
    const survey = await sdk.parseSurvey(await sdk.verify(bytes(envelope), bytes(key)));
    const costs = survey.questions.map((question) => [question.id, text(question.cost), text(question.chance)]);
    console.log(JSON.stringify({ digest: survey.digest, odds: survey.odds, costs }));
  } catch (error) {
    console.log(JSON.stringify({ refused: error.outcome ?? `${error.stack}`, why: error.message }));
  }
}
