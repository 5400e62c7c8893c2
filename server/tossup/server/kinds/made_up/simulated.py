"""Simulation in bulk: what a design says about made-up respondents, without a report each.

Stage: answer to report to estimate, all in one process and for nobody real. The coins are the
operating system's and follow the mechanism's own integer weights, by rejection, as on a device.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from tossup.server.estimation import Interval
from tossup.server.kernels import kernel_of
from tossup.server.kernels.tossing.draws import spread
from tossup.shared.coins import MAX_WEIGHT_SUM
from tossup.shared.mechanisms import Mechanism

#: An estimate and its 95 % interval; None for a text that was not found.
Found = tuple[float, Interval] | None


@dataclass(frozen=True, slots=True)
class SimulatedLine:
    """The truth about one answer beside its estimate.

    Attributes
    ----------
    id
        The question's id, but for yes/no followed by ``/`` and what is estimated.
    truth
        The true share in the population of which the respondents are a random sample.
    estimate, low, high
        The first run's estimate and its 95 % interval; None for a text that it did not find.
    inside, runs
        In how many of the runs the interval holds the truth, and a text was found.
    """

    id: str
    truth: float
    estimate: float | None
    low: float | None
    high: float | None
    inside: int = 1
    runs: int = 1

    def to_json(self) -> dict[str, object]:
        """Return the line as plain JSON types."""
        return {name: getattr(self, name) for name in self.__slots__}


def lines(truths: Mapping[str, float], runs: Sequence[Sequence[Found]]) -> list[SimulatedLine]:
    """Return a line for each truth, by its id, from what every run found of all of them."""
    return [
        _line(name, truth, [run[place] for run in runs])
        for place, (name, truth) in enumerate(truths.items())
    ]


def _line(name: str, truth: float, found: Sequence[Found]) -> SimulatedLine:
    inside = sum(one is not None and truth in one[1] for one in found)
    if found[0] is None:
        return SimulatedLine(name, truth, None, None, None, inside, len(found))
    value, interval = found[0]
    return SimulatedLine(name, truth, value, interval.low, interval.high, inside, len(found))


def draw_answers(shares: Sequence[Fraction], n: int) -> tuple[int, ...]:
    """Return how many of n respondents, drawn from a large population, give each answer."""
    unit = lcm(*(share.denominator for share in shares))
    if unit > MAX_WEIGHT_SUM:
        raise ValueError("shares need a common denominator of at most 2**32; round them")
    return tuple(spread([int(share * unit) for share in shares], n).tolist())


def tally(mechanism: Mechanism, truth: Sequence[int]) -> tuple[int, ...]:
    """Return the tally when truth[i] respondents give answer i, freshly tossed."""
    return tuple(kernel_of(mechanism).simulate(truth).tolist())
