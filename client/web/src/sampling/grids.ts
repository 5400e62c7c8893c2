/** Mechanisms for numbers, whose answers are the points of a grid. */

import type { Coins } from "../coins.js";
import type { Mechanism } from "../mechanisms/base.js";
import { type Ratio } from "../ratio.js";
import { check, checkRatio, checkTotal, countOf, list, odds, type Spec, whole } from "./spec.js";
import { largest } from "./tables.js";
import { countUpTo } from "./whole.js";

const MAX_REPORTS = 1 << 16;

/** Return how many points a grid has. */
export const pointsOf = (answers: bigint): number => countOf(answers, 2, 1024);

/** Return a mechanism for a grid that reports what one draw below `total` gives. */
export function grid(
  id: string,
  answers: bigint,
  reports: number,
  promised: Ratio,
  total: number,
  report: (answer: number, draw: number) => number,
): Mechanism {
  checkTotal(total);
  return {
    id,
    answerKind: "number",
    answers,
    reports: BigInt(reports),
    odds: promised,
    stated: () => ({ sentence: "report", chances: [] }),
    randomize: (answer: bigint, coins: Coins) => BigInt(report(Number(answer), coins.below(total))),
  };
}

/** A window that moves with the answer: reports in it are likelier than those outside. */
export interface Window extends Mechanism {
  readonly total: number;
  /** Return how far from the answer's place a draw lies, around the whole circle of reports. */
  place(draw: number): number;
}

export function windowed(id: string, answers: bigint, [window, keep, lie]: readonly [number, number, number]): Window {
  const points = pointsOf(answers);
  checkRatio(keep, lie);
  whole(window, "window", 1, MAX_REPORTS - points + 1);
  const [inside, reports] = [keep * window, points - 1 + window];
  const total = inside + lie * (points - 1);
  const place = (draw: number): number =>
    draw < inside ? Math.floor(draw / keep) : window + Math.floor((draw - inside) / lie);
  const made = grid(id, answers, reports, odds(keep, lie), total, (answer, draw) => (answer + place(draw)) % reports);
  return { ...made, total, place };
}

/** Two reports, low and high, whose chances fall and rise with the answer. */
export interface Ends extends Mechanism {
  readonly total: number;
  isHigh(answer: number, draw: number): boolean;
}

export function ends(id: string, answers: bigint, keep: number, lie: number): Ends {
  const steps = pointsOf(answers) - 1;
  checkRatio(keep, lie);
  const total = (keep + lie) * steps;
  const isHigh = (answer: number, draw: number): boolean => draw >= keep * steps - (keep - lie) * answer;
  return { ...grid(id, answers, 2, odds(keep, lie), total, (answer, draw) => Number(isHigh(answer, draw))), total, isHigh };
}

/** Noise whose chances fall on both sides of the answer; what falls off the ends is held there. */
export interface Decay extends Mechanism {
  readonly tails: readonly number[];
  readonly margin: number;
  readonly sizes: readonly number[];
  readonly total: number;
}

export function decay(id: string, answers: bigint, { tails: given }: Spec): Decay {
  const points = pointsOf(answers);
  const tails = list(given, "tails", points, points + MAX_REPORTS / 4);
  const last = tails.length - 1;
  const at = (values: readonly number[], place: number): number => values[place] as number;
  const sizes = tails.slice(1).map((tail, place) => at(tails, place) - tail);
  check(sizes.every((size, place) => !place || size <= at(sizes, place - 1)), "tails fall by less and less");
  check(at(sizes, last - 1) >= 1 && at(tails, last) >= 1, "tails of 1 or more");
  const [margin, span, total] = [tails.length - points, points - 1, at(tails, 0) + at(tails, 1)];
  const promised = [odds(at(tails, margin), at(tails, last)), odds(at(sizes, 0), at(sizes, span - (margin ? 0 : 1)))];
  for (let place = 0; place < margin; place++) promised.push(odds(at(sizes, place), at(sizes, place + span)));
  const bounds = [...tails.slice(1).reverse(), ...tails.slice(1).map((weight) => total - weight)];
  const reports = points + 2 * margin;
  const made = grid(id, answers, reports, largest(promised), total, (answer, draw) =>
    Math.max(0, Math.min(answer + countUpTo(bounds, draw) - last + margin, reports - 1)),
  );
  return { ...made, tails, margin, sizes, total };
}
