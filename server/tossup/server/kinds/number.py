"""A number: ``answers = {integers = [0, 10]}``, or ``{numbers = [0, 100], step = 0.5}``."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import floor
from typing import Any, ClassVar, Final, cast

from tossup.server.estimation import EstimationError, estimate_numbers
from tossup.server.exact import exact
from tossup.server.kernels import Column, kernel_of
from tossup.server.kernels.tossing.rounding import rounded
from tossup.server.kinds.base import Moved, Sought, UnlistedKind, Wanted, numbers, own
from tossup.server.kinds.choosing import memo
from tossup.server.kinds.choosing import number as choosing
from tossup.server.kinds.editing.forms import Field, Form
from tossup.server.kinds.made_up.people import Indexes, Population, of_answers
from tossup.server.kinds.made_up.simulated import Found, SimulatedLine, draw_answers, lines, tally
from tossup.server.kinds.told.numbers import NumbersTold
from tossup.shared.errors import ManifestError
from tossup.shared.kinds.base import Domain, Place
from tossup.shared.kinds.number import Grid
from tossup.shared.mechanisms import (
    DiscreteGaussian,
    GridMechanism,
    KeptBitsMechanism,
    Mechanism,
)
from tossup.shared.survey import Question

#: Tables with more cells take longer than a request may.
MOST_CELLS: Final = 1 << 14
#: And larger ones than this are not worked out for one odds after the other.
MOST_CELLS_TRIED: Final = 1 << 15
#: Larger channels are not summed up: this takes seconds, and 150 MB.
MAX_SUMMED_CELLS: Final = 1 << 22


@dataclass(frozen=True, slots=True)
class Range:
    """Bounds, step, and whether answers are whole."""

    low: Fraction
    high: Fraction
    step: Fraction
    whole: bool

    @property
    def labels(self) -> Sequence[str]:
        """None: a number has no options."""
        return ()

    def domain(self, options: tuple[str, ...]) -> Grid:
        """Return the grid.

        Raises
        ------
        ManifestError
            If the question has options, or the bounds and the step do not fit each other.
        """
        if options:
            raise ManifestError("a number takes no options")
        return Grid(self.low, self.high, self.step, whole=self.whole)

    def mechanism(self, domain: Domain, wanted: Wanted) -> GridMechanism:
        """Return the design for the grid."""
        grid = own(Grid, domain)
        return choosing.for_number(grid, wanted.mechanism, wanted.odds, wanted.part)


class Number(UnlistedKind):
    """Questions about a number; the truth is a list of equally common answers.

    Repeat an answer to make it commoner. Beyond the bounds they count as the bounds, in the truth
    as well. What is estimated of it in a simulation is the mean.
    """

    name = "number"
    plural = "numbers"
    answered_by = "number"
    told = NumbersTold
    unnamed = "mean"
    estimator = "average of what each report counts for, unbiased for every answer"
    tables: ClassVar = {
        "integers": "{integers = [0, 10]}",
        "numbers": "{numbers = [0, 100], step = 1}",
    }
    forms: ClassVar = (
        Form(
            "integers",
            (
                Field("low", ("integers", 0), planned="0"),
                Field("high", ("integers", 1), planned="10"),
            ),
        ),
        Form(
            "numbers",
            (
                Field("low", ("numbers", 0), planned="0"),
                Field("high", ("numbers", 1), planned="100"),
                Field("step", ("step",), planned="1"),
            ),
        ),
    )
    unit = "number"

    def choices(self, question: Question) -> str:
        """Return the range, and what becomes of numbers beyond."""
        grid = question.domain.to_json()
        step = f" in steps of {grid['step']}" if "step" in grid else ""
        clipped = "lower and higher answers count as these, how many is unknown"
        return f"{grid['low']} to {grid['high']}{step}; {clipped}"

    def read(self, key: str, table: Mapping[str, Any]) -> Range | None:
        """Return the range of a table of whole numbers, or of numbers in steps."""
        match table:
            case {"integers": [low, high], **rest} if key == "integers" and not rest:
                if type(low) is type(high) is int:
                    return Range(Fraction(low), Fraction(high), Fraction(1), whole=True)
            case {"numbers": [low, high], "step": step, **rest} if key == "numbers" and not rest:
                return Range(exact(low), exact(high), exact(step), whole=False)
        return None

    def why(self, question: Question) -> str:
        """Return why the mechanism is best for a mean; of one with a memo, what it costs."""
        mechanism = choosing.of_grid(question.mechanism)
        if isinstance(mechanism, KeptBitsMechanism):
            return memo.what_it_costs(mechanism)
        return choosing.why_for_a_mean(mechanism)

    def largest_variance(self, mechanism: Mechanism) -> float:
        """Return n times the largest variance of the mean that coins cause, in squared ranges."""
        return choosing.mean_variance(choosing.of_grid(mechanism))

    def widest_variance(self, mechanism: Mechanism) -> float:
        """Return n times the largest variance of the mean, of people who differ the most."""
        return choosing.widest_mean_variance(choosing.of_grid(mechanism))

    def spread(self, mechanism: Mechanism, share: Fraction) -> dict[str, object]:  # noqa: ARG002
        """Return n times the largest variance of the mean that coins cause, in squared ranges."""
        cells = mechanism.answers * mechanism.reports
        if cells > MAX_SUMMED_CELLS:
            raise EstimationError(
                f"the channel has {cells:,} cells; the variance is summed over"
                f" {MAX_SUMMED_CELLS:,} at most. Use fewer points"
            )
        return {"mean": self.largest_variance(mechanism)}

    def ways(self, mechanism: Any, sought: Sought) -> Sequence[Callable[[], Mechanism]]:
        """Return how it is made of the odds of one report, for a grid of so many points."""
        if issubclass(mechanism, DiscreteGaussian):
            part = {} if sought.delta is None else {"delta": sought.delta}
            return [partial(choosing.made, mechanism, sought.answers, sought.odds, part)]
        return super().ways(mechanism, sought)

    def work(self, mechanism: Mechanism) -> int:  # noqa: ARG002
        """Return that statistics take as much as four shares."""
        return 4

    def is_heavy(self, mechanism: Mechanism) -> bool:
        """Return whether the table is large."""
        return mechanism.answers * mechanism.reports > MOST_CELLS

    def is_fine(self, mechanism: Mechanism) -> bool:
        """Return whether the table is so large that solving it takes a good part of a second."""
        return mechanism.answers * mechanism.reports > MOST_CELLS_TRIED

    def check_tells(self, mechanism: Mechanism) -> None:
        """Refuse reports too much alike to tell a mean."""
        choosing.check_tells_a_mean(choosing.of_grid(mechanism))

    def estimated(self, question: Question) -> tuple[str, Fraction]:
        """Return that the mean is estimated, and the declared range."""
        grid = _grid(question)
        return "mean", Fraction(grid.high - grid.low)

    def moved(self, question: Question) -> Moved:  # noqa: ARG002
        """Return that somebody moves from one bound to the other."""
        return Moved(1, 1, 1)

    def example_of_truth(self, question: Question) -> str:
        """Return both bounds."""
        return f"{_grid(question).low},{_grid(question).high}"

    def read_truth(self, question: Question, written: str) -> Sequence[Fraction]:  # noqa: ARG002
        """Return the answers."""
        return numbers(written)

    def people(self, question: Question, truth: Sequence[Fraction]) -> Population:
        """Return the population in which these answers are equally common."""
        return of_answers(question, [_answer(_grid(question), each) for each in truth])

    def toss(self, question: Question, places: Sequence[Place], held: Indexes) -> Column:
        """Return reports of answers that are rounded as the mechanism states."""
        mechanism = question.mechanism
        parts = [Fraction(cast("Fraction", place)) for place in places]
        if mechanism.rounding == "nearest":
            parts = [Fraction(floor(part + Fraction(1, 2))) for part in parts]
        points = range(mechanism.answers)
        return kernel_of(mechanism).perturb_each(points, rounded(parts, held))

    def simulate(
        self, question: Question, truth: Sequence[Fraction], n: int, runs: int = 1
    ) -> list[SimulatedLine]:
        """Return the true mean beside its estimate, in the question's unit."""
        grid, mechanism = _grid(question), choosing.of_grid(question.mechanism)
        places = [_place(question, answer) for answer in truth]
        mean = float(grid.number(sum(places, Fraction(0)) * Fraction(1, len(places))))
        shares = _shares(places, mechanism)
        found = [_estimated(mechanism, grid, draw_answers(shares, n)) for _ in range(runs)]
        return lines({f"{question.id}/mean": mean}, found)


def _grid(question: Question) -> Grid:
    return own(Grid, question.domain)


def _estimated(mechanism: GridMechanism, grid: Grid, truth: Sequence[int]) -> list[Found]:
    mean = estimate_numbers(tally(mechanism, truth), mechanism, grid)[0]
    return [(mean.value, mean.interval)]


def _answer(grid: Grid, number: Fraction) -> int | Fraction:
    """Return a number as a program would answer it."""
    return int(number) if grid.whole and number.denominator == 1 else number


def _place(question: Question, answer: Fraction) -> Fraction:
    place = _grid(question).place(_answer(_grid(question), answer))
    if place is None:
        raise ValueError(f"question {question.id!r} takes whole numbers")
    return place


def _shares(places: Sequence[Fraction], mechanism: GridMechanism) -> list[Fraction]:
    """Return how common each point is once every answer has been rounded to its grid."""
    shares = [Fraction(0)] * mechanism.answers
    for place in places:
        lower = int(place if mechanism.rounding == "random" else place + Fraction(1, 2))
        up = place - lower if mechanism.rounding == "random" else Fraction(0)
        shares[lower] += (1 - up) * Fraction(1, len(places))
        if up:
            shares[lower + 1] += up * Fraction(1, len(places))
    return shares
