/** Hybrid of the piecewise mechanism and Duchi's: chance says which of the two reports. */

import { ends, grid, windowed } from "../sampling/grids.js";
import { check, numbers } from "../sampling/spec.js";
import type { MechanismModule } from "./base.js";

export const fromSpec: MechanismModule["fromSpec"] = (spec, answers) => {
  const names = "window keep lie piecewise duchi";
  const [window, keep, lie, piecewise, duchi] = numbers(spec, names) as [number, number, number, number, number];
  check(piecewise >= 1 && duchi >= 1, "piecewise and duchi of 1 or more");
  const places = windowed("hybrid/1", answers, [window, keep, lie]);
  const low = ends("hybrid/1", answers, keep, lie);
  const [reports, first] = [Number(places.reports), piecewise * places.total];
  return grid("hybrid/1", answers, reports + 2, places.odds, first + duchi * low.total, (answer, draw) =>
    draw < first
      ? (answer + places.place(Math.floor(draw / piecewise))) % reports
      : reports + Number(low.isHigh(answer, Math.floor((draw - first) / duchi))),
  );
};
