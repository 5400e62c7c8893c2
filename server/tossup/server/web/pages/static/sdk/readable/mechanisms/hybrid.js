import {
  ends,
  grid,
  windowed
} from "../shared/P7ZKYTDG.js";
import "../shared/TDJWXKJO.js";
import "../shared/WPQLKJWZ.js";
import {
  check,
  numbers
} from "../shared/ZGTW6QBU.js";
import "../shared/QSFGJONQ.js";

// src/mechanisms/hybrid.ts
var fromSpec = (spec, answers) => {
  const names = "window keep lie piecewise duchi";
  const [window, keep, lie, piecewise, duchi] = numbers(spec, names);
  check(piecewise >= 1 && duchi >= 1, "piecewise and duchi of 1 or more");
  const places = windowed("hybrid/1", answers, [window, keep, lie]);
  const low = ends("hybrid/1", answers, keep, lie);
  const [reports, first] = [Number(places.reports), piecewise * places.total];
  return grid(
    "hybrid/1",
    answers,
    reports + 2,
    places.odds,
    first + duchi * low.total,
    (answer, draw) => draw < first ? (answer + places.place(Math.floor(draw / piecewise))) % reports : reports + Number(low.isHigh(answer, Math.floor((draw - first) / duchi)))
  );
};
export {
  fromSpec
};
//# sourceMappingURL=hybrid.js.map
