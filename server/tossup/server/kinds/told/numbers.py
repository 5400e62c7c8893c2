"""What reports tell of a number: its mean, and where they tell it, its distribution."""

from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import cast

from tossup.server.estimation import (
    EstimationError,
    Interval,
    NumberEstimate,
    PointEstimate,
    design_p_value,
    distribution_view,
    estimate_histogram,
    estimate_numbers,
)
from tossup.server.estimation.comparing.change import Measured, of_answers
from tossup.server.estimation.numbers.kept import least_covariance
from tossup.server.estimation.numbers.statistics import MOST_CELLS, Statistic, statistics_of
from tossup.server.kinds.told.base import Json, Told, ToldLine, conventions, estimated
from tossup.server.kinds.told.finding import Finding, Reproduced
from tossup.server.kinds.told.reproduced import in_python
from tossup.shared.kinds.number import Grid
from tossup.shared.mechanisms import DBitFlip, GridMechanism
from tossup.shared.odds import odds_as_text


@dataclass(frozen=True)
class NumbersTold(Told):
    """Statistics of a number, in the question's unit."""

    @property
    def grid(self) -> Grid:
        """The numbers that the question takes."""
        return cast("Grid", self.question.domain)

    @property
    def mechanism(self) -> GridMechanism:
        """The question's coins."""
        return cast("GridMechanism", self.question.mechanism)

    @cached_property
    def numbers(self) -> tuple[NumberEstimate, ...]:
        """The mean and what else the reports tell.

        Without what says nothing: see `not_told_yet`. None when suppressed, and for a design whose
        reports tell no mean, kept from before such were refused: one question must not keep the
        others from being shown.
        """
        if self.suppressed:
            return ()
        try:
            found = estimate_numbers(self.counts, self.mechanism, self.grid, self.confidence)
        except EstimationError:
            return ()
        wide = float(self.grid.high - self.grid.low)
        possible = {"mean": inf, "variance": wide**2 / 4}  # half of all answers at either bound
        return tuple(
            number
            for number in found
            if _says_something(number.interval, possible.get(number.statistic, wide) / 2)
        )

    @cached_property
    def not_told_yet(self) -> tuple[Statistic, ...]:
        """What the reports would tell if there were more of them.

        A quartile or a variance whose interval is wider than half of all that is possible: the
        point that would be named is drawn by the coins.
        """
        if not self.numbers:
            return ()
        told = {number.statistic for number in self.numbers}
        return tuple(each for each in statistics_of(self.mechanism) if each not in told)

    @cached_property
    def histogram(self) -> tuple[PointEstimate, ...]:
        """The raw share of every point whose interval is below 100 points wide.

        None where reports do not tell them.
        """
        if not self.numbers:
            return ()
        try:
            found = estimate_histogram(self.counts, self.mechanism, self.grid, self.confidence)
        except EstimationError:
            return ()
        return tuple(point for point in found if point.interval.high - point.interval.low < 1)

    @cached_property
    def distribution(self) -> tuple[float, ...]:
        """The likeliest share of every point: a view, smoothed, not an estimate.

        None when suppressed, where reports tell a mean only, and for tables above 2**18 cells.
        """
        mechanism = self.mechanism
        if not self.numbers:
            return ()
        if mechanism.answers * mechanism.reports > MOST_CELLS or not mechanism.tells_distribution:
            return ()
        return distribution_view(self.counts, mechanism, smooth=True)

    @property
    def lines(self) -> tuple[ToldLine, ...]:
        """A line a statistic."""
        return tuple(
            ToldLine(
                number.statistic,
                {"statistic": number.statistic, **estimated(number), **conventions(number)},
            )
            for number in self.numbers
        )

    @property
    def more_lines(self) -> tuple[ToldLine, ...]:
        """A line a point of the histogram."""
        return tuple(
            ToldLine(f"share of {point.number}", _point(point)) for point in self.histogram
        )

    @property
    def waiting(self) -> tuple[str, ...]:
        """Statistics that more reports would tell."""
        return self.not_told_yet

    def to_json(self) -> Json:
        """Return what is not told yet."""
        return {"not_told_yet": list(self.not_told_yet)}

    def more_to_json(self) -> Json:
        """Return the bounds, the histogram, and the view of the distribution."""
        shares = list(self.distribution)
        return {
            # Nobody knows how many answers lay beyond: a device clips before it tosses.
            "clipped": {"low": str(self.grid.low), "high": str(self.grid.high), "share": None},
            "histogram": [_point(point) for point in self.histogram],
            "distribution": {"view": "em-smoothed", "shares": shares} if shares else None,
        }

    @property
    def finding(self) -> Finding | None:
        """The mean, drawn as coins stacked at equally likely ones."""
        if not self.numbers:
            return None
        mean, bounds = self.numbers[0], (float(self.grid.low), float(self.grid.high))
        possible = mean.interval.cut(*bounds) or mean.interval
        return Finding("", mean.value, mean.interval, possible, mean.n, "number", "stack", bounds)

    @property
    def reproduced(self) -> Reproduced | None:
        """How to get the mean again."""
        if not self.numbers:
            return None
        grid = self.grid
        ends = f"Fraction({str(grid.low)!r}), Fraction({str(grid.high)!r})"
        imports = (
            "from fractions import Fraction",
            "",
            "from tossup.server.estimation import estimate_numbers",
            "from tossup.shared.kinds.number import Grid",
        )
        lines = (
            f"grid = Grid({ends}, Fraction({str(grid.step)!r}))",
            f"mean, *_ = estimate_numbers(counts, mechanism, grid, {self.confidence!r})",
            "print(mean.value, mean.interval.low, mean.interval.high)",
        )
        return Reproduced(self._methods, in_python(self, imports, lines))

    @property
    def _methods(self) -> str:
        odds = odds_as_text(self.mechanism.odds)
        return (
            f"Each answer was randomized on the respondent's device ({self.mechanism.name}; odds"
            f" at most {odds}). The mean is the average of what each report counts for, such that"
            f" it is unbiased, with the {self.numbers[0].interval.method} interval. Estimates are"
            " raw: they are not cut to the possible range, which would bias them. Computed with"
            " Tossup."
        )

    @property
    def measured(self) -> dict[str, Measured]:
        """The mean."""
        return {"mean": self.numbers[0]} if self.numbers else {}

    @property
    def covariance_of_waves(self) -> float:
        """That of answers within the bounds; of kept buckets what these have in common."""
        if isinstance(self.mechanism, DBitFlip):
            return float(self.grid.step) ** 2 * least_covariance(self.mechanism)
        return of_answers(float(self.grid.high - self.grid.low))

    @property
    def design_p_value(self) -> float | None:
        """That of a mean so far outside its bounds."""
        return design_p_value(self.numbers[0], self.grid) if self.numbers else None


def _point(point: PointEstimate) -> Json:
    return {"number": str(point.number), **estimated(point), **conventions(point)}


def _says_something(interval: Interval, widest: float) -> bool:
    """Return whether an interval is no wider than it may be."""
    return interval.high - interval.low <= widest
