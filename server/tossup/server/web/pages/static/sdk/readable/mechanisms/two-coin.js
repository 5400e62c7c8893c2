import {
  refuseManifest
} from "../shared/7KQQEI2G.js";

// src/mechanisms/two-coin.ts
var REPORTS = [[0n, 0n, 0n, 1n], [1n, 0n, 1n, 1n]];
var fromSpec = (spec, answers) => {
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
    randomize: (answer, coins) => REPORTS[Number(answer)][coins.below(4)]
  };
};
export {
  fromSpec
};
//# sourceMappingURL=two-coin.js.map
