"""The most likely choice: the largest estimate of a question, and whether it surely is the largest.

Which one leads is seen in the reports first, and its differences are looked at after. So their
intervals hold together with those of every other two options: Bonferroni over all pairs. Counts are
whole, and with few reports an interval for continuous numbers would tell apart too often; so where
a report counts for an option or not, intervals are wider by what one report counts for, either way
(the correction for continuity: Edwards 1948, Psychometrika 13:185-187).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb, sqrt

from tossup.server.estimation import Interval
from tossup.server.estimation.comparing.apart import apart
from tossup.server.estimation.shares.together import Matrix
from tossup.server.kinds.told.answer import AnswerEstimate


@dataclass(frozen=True, slots=True)
class Lead:
    """The largest estimate less another one.

    Attributes
    ----------
    other
        The estimate that is smaller.
    value
        The raw difference.
    standard_error
        That of the difference, for the population; None where reports do not tell it.
    interval
        One that holds together with those of all pairs of options. Its method is ``mover-`` and
        that of the estimates' own intervals; or ``ends-``, from the ends of both intervals, where
        it is not known how they go together.
    n
        Reports that the larger estimate and the other one rest on.
    """

    other: AnswerEstimate
    value: float
    standard_error: float | None
    interval: Interval
    n: tuple[int, int]

    @property
    def is_told_apart(self) -> bool:
        """Whether the interval leaves 0 out."""
        return self.interval.low > 0


@dataclass(frozen=True, slots=True)
class Leading:
    """The largest estimate of a question, and how far it is ahead of every other one.

    Attributes
    ----------
    top
        The largest estimate; of several the first.
    leads
        Its differences to the others, the runner-up first.
    """

    top: AnswerEstimate
    leads: tuple[Lead, ...]

    @property
    def is_sure(self) -> bool:
        """Whether it is told apart from every other one."""
        return all(lead.is_told_apart for lead in self.leads)

    @property
    def not_told_apart(self) -> tuple[AnswerEstimate, ...]:
        """The others that may be as large, or larger."""
        return tuple(lead.other for lead in self.leads if not lead.is_told_apart)

    @property
    def tied(self) -> int:
        """How many have this very estimate, itself among them."""
        return 1 + sum(lead.other.value == self.top.value for lead in self.leads)


def leading(
    estimates: Sequence[AnswerEstimate], covariance: Matrix | None, step: float = 0.0
) -> Leading | None:
    """Return the largest of some estimates with its differences; None for fewer than two.

    Parameters
    ----------
    estimates
        Of one question, in order.
    covariance
        Theirs, for the population; None where it is not known. It says nothing of intervals that
        hold at every look, and is not used for these.
    step
        What one report counts for in an estimate; 0 where that is no one number.
    """
    if len(estimates) < 2:
        return None
    if estimates[0].looks != "one":
        covariance = None
    order = sorted(range(len(estimates)), key=lambda place: -estimates[place].value)
    first, *others = order
    among = len(estimates) if covariance is None else comb(len(estimates), 2)
    own = estimates[first].shared_interval(among=among)
    leads = tuple(_lead(estimates, (first, own), other, covariance, step) for other in others)
    return Leading(estimates[first], leads)


def _lead(
    estimates: Sequence[AnswerEstimate],
    leader: tuple[int, Interval],
    second: int,
    covariance: Matrix | None,
    step: float,
) -> Lead:
    first, own = leader
    top, other = estimates[first], estimates[second]
    among = own.intervals
    intervals = (own, other.shared_interval(among=among))
    agree = any(estimate.reports in {0, estimate.n} for estimate in (top, other))
    correlation = None  # of reports that agree it is not seen
    if covariance is not None and not agree:
        correlation = _correlation(covariance, first, second)
    low, high = apart((top.value, intervals[0]), (other.value, intervals[1]), correlation)
    method = f"{'ends' if correlation is None else 'mover'}-{intervals[0].method}"
    return Lead(
        other,
        top.value - other.value,
        None if covariance is None else _error(covariance, first, second),
        Interval(low - step, high + step, top.confidence, method, among),
        (top.n, other.n),
    )


def _correlation(covariance: Matrix, first: int, second: int) -> float | None:
    """Return the correlation of two estimates; None where one does not seem to vary at all."""
    spread = sqrt(covariance[first, first] * covariance[second, second])
    return float(covariance[first, second]) / spread if spread else None


def _error(covariance: Matrix, first: int, second: int) -> float:
    own, other, both = (
        covariance[first, first],
        covariance[second, second],
        covariance[first, second],
    )
    return sqrt(max(0.0, own + other - 2 * both))
