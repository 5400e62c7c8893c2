import {
  Coins
} from "../shared/RZ6CJKIU.js";
import "../shared/QSFGJONQ.js";

// src/mechanisms/registry.ts
var MECHANISMS = {
  "two-coin/1": () => import("./two-coin.js"),
  "randomized-response/1": () => import("./randomized-response.js"),
  "k-ary-randomized-response/1": () => import("./k-ary-randomized-response.js"),
  "subset-selection/1": () => import("./subset-selection.js"),
  "projective-geometry-response/1": () => import("./projective-geometry-response.js"),
  "optimized-unary/1": () => import("./optimized-unary.js"),
  "local-hashing/1": () => import("./local-hashing.js"),
  "symmetric-unary/1": () => import("./symmetric-unary.js"),
  "hadamard-response/1": () => import("./hadamard-response.js"),
  "permanent-instantaneous/1": () => import("./permanent-instantaneous.js"),
  "rappor/1": () => import("./rappor.js"),
  "truncated-geometric/1": () => import("./truncated-geometric.js"),
  "discrete-laplace/1": () => import("./discrete-laplace.js"),
  "discrete-gaussian/1": () => import("./discrete-gaussian.js"),
  "staircase/1": () => import("./staircase.js"),
  "hybrid/1": () => import("./hybrid.js"),
  "piecewise/1": () => import("./piecewise.js"),
  "duchi/1": () => import("./duchi.js"),
  "square-wave/1": () => import("./square-wave.js"),
  "three-outputs/1": () => import("./three-outputs.js"),
  "one-bit-mean/1": () => import("./one-bit-mean.js"),
  "d-bit-flip/1": () => import("./d-bit-flip.js"),
  "exponential/1": () => import("./exponential.js"),
  "permute-and-flip/1": () => import("./permute-and-flip.js"),
  "noisy-max-laplace/1": () => import("./noisy-max-laplace.js"),
  "ranked-choice/1": () => import("./ranked-choice.js"),
  "kuk/1": () => import("./kuk.js"),
  "prefix-extending/1": () => import("./prefix-extending.js"),
  "per-option-bits/1": () => import("./per-option-bits.js"),
  "sampled-options/1": () => import("./sampled-options.js"),
  "unrelated-question/1": () => import("./unrelated-question.js")
};
async function loadNamed(name) {
  const found = Object.hasOwn(MECHANISMS, name) ? await MECHANISMS[name]?.() : void 0;
  return found && { ...found, coins: () => new Coins() };
}
export {
  MECHANISMS,
  loadNamed
};
//# sourceMappingURL=registry.js.map
