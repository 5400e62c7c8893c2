import {
  ONE,
  ZERO,
  isAbove,
  ratio,
  refuse
} from "./shared/QSFGJONQ.js";

// src/caps.ts
function capsOf(options, usual) {
  const { questionCap, publisherCap, deviceCap, deltaCap } = options;
  return {
    question: cap(questionCap, ONE) ?? usual.question,
    publisher: cap(publisherCap, ONE) ?? usual.publisher,
    device: cap(deviceCap, ONE) ?? usual.device,
    delta: cap(deltaCap, ZERO) ?? usual.delta
  };
}
function cap(value, least) {
  if (value === void 0) return void 0;
  const [, n = "", d = "1"] = /^(\d+)(?:\/([1-9]\d*))?$/.exec(`${value}`) ?? [];
  const found = ratio(BigInt(n), BigInt(d));
  const isRight = n && (least.n ? !isAbove(ONE, found) : isAbove(ONE, found));
  return isRight ? found : refuse("misconfigured", 'a cap on odds is at least 1, one on a chance below 1: 3, or "3/2"');
}
export {
  capsOf
};
//# sourceMappingURL=caps.js.map
