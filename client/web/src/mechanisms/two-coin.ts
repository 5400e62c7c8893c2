/** Two coins, for yes or no: tails, the truth; heads, the second coin. Odds are 3. */

import { refuseManifest } from "../refusal.js";
import type { MechanismModule } from "./base.js";

/** A report for each way that both coins fall, first + 2 x second: of no, and above them of yes. */
const REPORTS = 0b1101_1000n;

export const fromSpec: MechanismModule["fromSpec"] = (spec, answers) => {
  if (Object.keys(spec).length > 1 || answers !== 2n) {
    refuseManifest("two coins take no parameters, and are for yes and no");
  }
  const [often, seldom] = [{ n: 3n, d: 4n }, { n: 1n, d: 4n }];
  return {
    id: "two-coin/1",
    answerKind: "choice",
    answers,
    reports: 2n,
    odds: { n: 3n, d: 1n },
    stated: () => ({ sentence: "answers", chances: [[often, seldom], [seldom, often]] }),
    // Both coins come from one draw and are always used, so that no time tells the first one.
    randomize: (answer, coins) => (REPORTS >> (4n * answer + coins.bits(2))) & 1n,
  };
};
