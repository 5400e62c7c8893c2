"""Figures: ratios measured in interleaved rounds, so that a noisy machine disturbs both sides."""

import sys
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from math import isnan, nan
from statistics import median
from typing import Literal

Measure = Callable[[], float]


@dataclass(frozen=True)
class Figure:
    """One ratio: the median over rounds, with the lowest and the highest round.

    ``gate`` is what must hold everywhere, ``goal`` what we aim at; ``note`` says in absolute
    terms what was measured, and of what.
    """

    name: str
    ratio: float
    low: float
    high: float
    better: Literal["higher", "lower"]
    gate: float
    goal: float
    note: str = ""

    def to_json(self) -> dict[str, object]:
        """Return the figure as it stands in build/bench.json."""
        values = {name: value for name, value in asdict(self).items() if name != "note"}
        return values | ({"ratio": None, "low": None, "high": None} if isnan(self.ratio) else {})

    def holds(self, limit: float) -> bool:
        """Return whether the ratio is on the good side of a limit."""
        return self.ratio >= limit if self.better == "higher" else self.ratio <= limit


Part = Callable[[], Figure | list[Figure]]


def measured(
    parts: Sequence[Part], keep: Callable[[list[Figure]], None]
) -> tuple[list[Figure], list[str]]:
    """Measure parts, one after the other; return their figures and the names of those that fail.

    A part that fails keeps no other from being measured: why it does is printed. ``keep`` gets all
    figures so far after each part, so that what ends early has told something.
    """
    figures: list[Figure] = []
    failed: list[str] = []
    for part in parts:
        print(f"measuring {part.__name__} ...", end=" ", flush=True, file=sys.stderr)
        start = time.monotonic()
        try:
            found = part()
        except Exception:
            traceback.print_exc()
            failed.append(part.__name__)
        else:
            figures += found if isinstance(found, list) else [found]
            keep(figures)
        print(f"{time.monotonic() - start:.0f} s", file=sys.stderr)
    return figures, failed


def interleave(ours: Measure, theirs: Measure, rounds: int) -> tuple[list[float], list[float]]:
    """Measure both in turn, as often; who goes first changes with every round."""
    first: list[float] = []
    second: list[float] = []
    for number in range(rounds):
        order = [(ours, first), (theirs, second)]
        for measure, values in order if number % 2 else reversed(order):
            values.append(measure())
    return first, second


def ratio_of(
    name: str,
    measured: tuple[Sequence[float], Sequence[float]],
    *,
    better: Literal["higher", "lower"],
    gate: float,
    goal: float,
    note: str = "",
) -> Figure:
    """Return the figure of ours over theirs, round by round."""
    ratios = [ours / theirs for ours, theirs in zip(*measured, strict=True)]
    return Figure(name, median(ratios), min(ratios), max(ratios), better, gate, goal, note)


def unmeasured(
    name: str, *, better: Literal["higher", "lower"], gate: float, goal: float, note: str
) -> Figure:
    """Return the figure of what could not be measured here: it holds no limit, and is listed."""
    return Figure(name, nan, nan, nan, better, gate, goal, note)


def table(figures: Sequence[Figure]) -> str:
    """Return the figures as text, with what they mean under each."""
    lines = [f"{'':52} {'ratio':>9} {'low':>9} {'high':>9}   {'gate':>8} {'goal':>8}"]
    for figure in figures:
        sign = ">=" if figure.better == "higher" else "<="
        verdict = "goal" if figure.holds(figure.goal) else "gate"
        verdict = verdict if figure.holds(figure.gate) else "MISSED"
        verdict = "NOT MEASURED" if isnan(figure.ratio) else verdict
        lines += [
            f"{figure.name:52} {figure.ratio:9.3f} {figure.low:9.3f} {figure.high:9.3f}"
            f" {sign}{figure.gate:8g} {figure.goal:8g}  {verdict}",
            *([f"    {figure.note}"] if figure.note else []),
        ]
    return "\n".join(lines)
