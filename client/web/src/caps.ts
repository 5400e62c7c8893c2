/** The lifetime caps that an app sets itself. Loaded when it sets any. */

import type { Options } from "./client.js";
import type { Device } from "./device.js";
import { isAbove, ONE, type Ratio, ratio, ZERO } from "./ratio.js";
import { refuse } from "./refusal.js";

/** Return the caps, or refuse what are none. */
export function capsOf(options: Options, usual: Device["caps"]): Device["caps"] {
  const { questionCap, publisherCap, deviceCap, deltaCap } = options;
  return {
    question: cap(questionCap, ONE) ?? usual.question,
    publisher: cap(publisherCap, ONE) ?? usual.publisher,
    device: cap(deviceCap, ONE) ?? usual.device,
    delta: cap(deltaCap, ZERO) ?? usual.delta,
  };
}

/** A cap on odds is at least 1; one on a chance is below 1. */
function cap(value: unknown, least: Ratio): Ratio | undefined {
  if (value === undefined) return undefined;
  const [, n = "", d = "1"] = /^(\d+)(?:\/([1-9]\d*))?$/.exec(`${value}`) ?? [];
  const found = ratio(BigInt(n), BigInt(d));
  const isRight = n && (least.n ? !isAbove(ONE, found) : isAbove(ONE, found));
  return isRight ? found : refuse("misconfigured", 'a cap on odds is at least 1, one on a chance below 1: 3, or "3/2"');
}
