import {
  bitsFor
} from "./RZ6CJKIU.js";

// src/sampling/runs.ts
function bytesForRun(sizes) {
  const bits = Math.max(...sizes.map(bitsFor));
  const failing = Math.max(...sizes.map((n) => (2 ** bitsFor(n) - n) * 2 ** (bits - bitsFor(n))));
  let spare = 0;
  let ways = BigInt(sizes.length) << 128n;
  for (let missed = BigInt(failing); ways * missed > 1n << BigInt(bits * (spare + 1)); missed *= BigInt(failing)) {
    spare += 1;
    ways = ways * BigInt(sizes.length + spare) / BigInt(spare + 1);
  }
  return Math.ceil(bits * (sizes.length + spare) / 8);
}

export {
  bytesForRun
};
//# sourceMappingURL=7UNATXEL.js.map
