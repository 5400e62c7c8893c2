import {
  countUpTo
} from "./TDJWXKJO.js";
import {
  largest
} from "./WPQLKJWZ.js";
import {
  check,
  checkRatio,
  checkTotal,
  countOf,
  list,
  odds,
  whole
} from "./ZGTW6QBU.js";

// src/sampling/grids.ts
var MAX_REPORTS = 1 << 16;
var pointsOf = (answers) => countOf(answers, 2, 1024);
function grid(id, answers, reports, promised, total, report) {
  checkTotal(total);
  return {
    id,
    answerKind: "number",
    answers,
    reports: BigInt(reports),
    odds: promised,
    stated: () => ({ sentence: "report", chances: [] }),
    randomize: (answer, coins) => BigInt(report(Number(answer), coins.below(total)))
  };
}
function windowed(id, answers, [window, keep, lie]) {
  const points = pointsOf(answers);
  checkRatio(keep, lie);
  whole(window, "window", 1, MAX_REPORTS - points + 1);
  const [inside, reports] = [keep * window, points - 1 + window];
  const total = inside + lie * (points - 1);
  const place = (draw) => draw < inside ? Math.floor(draw / keep) : window + Math.floor((draw - inside) / lie);
  const made = grid(id, answers, reports, odds(keep, lie), total, (answer, draw) => (answer + place(draw)) % reports);
  return { ...made, total, place };
}
function ends(id, answers, keep, lie) {
  const steps = pointsOf(answers) - 1;
  checkRatio(keep, lie);
  const total = (keep + lie) * steps;
  const isHigh = (answer, draw) => draw >= keep * steps - (keep - lie) * answer;
  return { ...grid(id, answers, 2, odds(keep, lie), total, (answer, draw) => Number(isHigh(answer, draw))), total, isHigh };
}
function decay(id, answers, { tails: given }) {
  const points = pointsOf(answers);
  const tails = list(given, "tails", points, points + MAX_REPORTS / 4);
  const last = tails.length - 1;
  const at = (values, place) => values[place];
  const sizes = tails.slice(1).map((tail, place) => at(tails, place) - tail);
  check(sizes.every((size, place) => !place || size <= at(sizes, place - 1)), "tails fall by less and less");
  check(at(sizes, last - 1) >= 1 && at(tails, last) >= 1, "tails of 1 or more");
  const [margin, span, total] = [tails.length - points, points - 1, at(tails, 0) + at(tails, 1)];
  const promised = [odds(at(tails, margin), at(tails, last)), odds(at(sizes, 0), at(sizes, span - (margin ? 0 : 1)))];
  for (let place = 0; place < margin; place++) promised.push(odds(at(sizes, place), at(sizes, place + span)));
  const bounds = [...tails.slice(1).reverse(), ...tails.slice(1).map((weight) => total - weight)];
  const reports = points + 2 * margin;
  const made = grid(
    id,
    answers,
    reports,
    largest(promised),
    total,
    (answer, draw) => Math.max(0, Math.min(answer + countUpTo(bounds, draw) - last + margin, reports - 1))
  );
  return { ...made, tails, margin, sizes, total };
}

export {
  pointsOf,
  grid,
  windowed,
  ends,
  decay
};
//# sourceMappingURL=P7ZKYTDG.js.map
