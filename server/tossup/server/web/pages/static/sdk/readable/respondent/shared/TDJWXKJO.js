// src/sampling/whole.ts
var greatestDivisor = (values) => values.reduce((found, value) => {
  while (value) [found, value] = [value, found % value];
  return found;
}, 0n);
var leastMultiple = (values) => values.reduce((found, value) => found / greatestDivisor([found, value]) * value, 1n);
function binomial(n, k) {
  let ways = 1n;
  for (let place = 0; place < k; place++) ways = ways * BigInt(n - place) / BigInt(place + 1);
  return ways;
}
var factorial = (n) => n > 1 ? n * factorial(n - 1) : 1;
function countUpTo(sorted, value) {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = low + high >> 1;
    if (sorted[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

export {
  greatestDivisor,
  leastMultiple,
  binomial,
  factorial,
  countUpTo
};
