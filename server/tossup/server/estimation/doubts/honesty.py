"""How far careless or lying respondents could have moved a share.

A device tosses the coin, so nobody misreads an instruction; but people may lie to the device, or
tap anything. Paper surveys have both troubles. Nothing here makes a share right; it says what
would be so under a stated behaviour. None of it is a readout of its own: shares that were read are
divided by what is supposed, or by a second estimate.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt

from tossup.server.estimation.checks import Counts, check_counts, part_below_one
from tossup.server.estimation.comparing.comparison import interval_of
from tossup.server.estimation.comparing.significance import Comparable, check_shares
from tossup.server.estimation.designs.named import AnyDesign, design_of
from tossup.server.estimation.errors import EstimationError
from tossup.server.estimation.intervals.coins import never_nothing
from tossup.server.estimation.intervals.interval import Interval, Method, wilson
from tossup.server.estimation.shares.share import ShareEstimate
from tossup.server.estimation.telling.result import NormalEstimate, told

#: Shares of people who might deny, or answer at random, for a table.
SUPPOSED = (0.0, 0.05, 0.1, 0.2, 0.3, 0.5)


@dataclass(frozen=True, slots=True)
class Supposed:
    """A share, should a share ``supposed`` of people misbehave in the way asked about."""

    supposed: float
    value: float
    interval: Interval
    n: int | None = None

    def __str__(self) -> str:
        return told(f"{self.supposed:g}", self.value, None, self.interval, self.n)


def if_some_deny(
    share: Comparable,
    denying: Sequence[float] = SUPPOSED,
    confidence: float = 0.95,
    method: Method = "score",
) -> tuple[Supposed, ...]:
    """Return the share for each supposed share of those with a yes who answer no instead.

    share / (1 - denying): they toss their coins as everybody, for a no.

    Parameters
    ----------
    share
        The estimate from all reports: any share, also weighted or of two samples.
    denying
        Supposed shares, each from 0 to below 1.
    confidence, method
        Of the interval; see `AnswerShare.interval`.

    Returns
    -------
    tuple
        A `Supposed` a supposed share, in the order given.

    Raises
    ------
    EstimationError
        If a supposed share is not in [0, 1), or the share is another kind of estimate.
    """
    check_shares((share,))
    whole = interval_of(share, confidence, method)
    rows = []
    for supposed in _several(denying):
        left = 1 - part_below_one(supposed, "a supposed share")
        ends = Interval(whole.low / left, whole.high / left, confidence, f"denied-{method}")
        rows.append(Supposed(supposed, share.value / left, ends, share.n))
    return tuple(rows)


def if_some_answer_at_random(
    share: ShareEstimate,
    careless: Sequence[float] = SUPPOSED,
    confidence: float = 0.95,
    method: Method = "score",
) -> tuple[Supposed, ...]:
    """Return the share for each supposed share of people whose *reports* are an even toss.

    The others' report rate is (rate - careless / 2) / (1 - careless): Atsusaka and Stevenson 2021,
    Political Analysis 31:102-121, with the careless share supposed instead of estimated.

    Parameters
    ----------
    share
        The estimate from all reports.
    careless
        Supposed shares, each from 0 to below 1.
    confidence, method
        Of the interval; see `AnswerShare.interval`.

    Returns
    -------
    tuple
        A `Supposed` a supposed share, in the order given.

    Raises
    ------
    EstimationError
        If a supposed share is not in [0, 1), or the share is another kind of estimate.
    """
    if not isinstance(share, ShareEstimate):
        raise EstimationError(
            f"{share!r} is no share of one yes/no design; make one by estimate(yes=, n=, design=)"
        )
    without, with_it = (float(rate) for rate in share.rates)
    even = (0.5 - without) / (with_it - without)
    whole = share.interval(confidence, method)
    rows = []
    for supposed in _several(careless):
        left = 1 - part_below_one(supposed, "a supposed share")
        value, low, high = (
            (x - supposed * even) / left for x in (share.value, whole.low, whole.high)
        )
        ends = Interval(low, high, confidence, f"careless-{method}")
        rows.append(Supposed(supposed, value, ends, share.n))
    return tuple(rows)


@dataclass(frozen=True, slots=True)
class Anchored(NormalEstimate):
    """A share corrected for careless reports by a second question whose answer is no for sure.

    Attributes
    ----------
    value, standard_error
        Of the share; raw, and by the delta method with the covariance of both reports, but the
        coins alone make it vary: see `coins.never_nothing`.
    attentive, attentive_interval
        The estimated share of people who follow the instructions, and its 95 % interval: the
        score interval of the anchor's report rate, mapped to the share.
    n
        Reports to both questions.
    """

    value: float
    standard_error: float
    attentive: float
    attentive_interval: Interval
    n: int

    @property
    def title(self) -> str:
        """What was estimated."""
        return "Share of yes, corrected for careless reports"

    @property
    def facts(self) -> dict[str, str]:
        """How many follow the instructions."""
        return {"Attentive": told("", self.attentive, None, self.attentive_interval, self.n)}

    @property
    def procedure(self) -> str:
        """How it was estimated, as sentences of a methods section."""
        return (
            "The share is corrected for careless reports by an anchor question whose answer is no"
            " (Atsusaka and Stevenson 2021), without cutting; its standard error is by the delta"
            " method with the covariance of both reports."
        )


def anchored(counts: Counts, design: AnyDesign, *, anchor: AnyDesign | None = None) -> Anchored:
    """Return the share among all, with careless people told by an anchor question.

    Who is careless reports yes to either question with one half. The anchor asks what is a no for
    everybody, under its own coins, so its report rate tells how many are careless.

    Parameters
    ----------
    counts
        People by their reports: neither, the anchor's alone, the question's alone, both.
    design
        Of the question; for yes/no.
    anchor
        Of the anchor question; the same if not given.

    Returns
    -------
    Anchored
        The share, raw, with its standard error, and the share of attentive people.

    Raises
    ------
    EstimationError
        If the counts do not fit, or hardly anybody is attentive.

    References
    ----------
    Atsusaka and Stevenson 2021, Political Analysis 31:102-121. Their package cuts the estimate to
    [0, 1] before its standard error; here both are raw.
    """
    neither, second, first, both = check_counts(counts, 4)
    n = neither + second + first + both
    without, with_it = (float(rate) for rate in design_of(design).rates)
    honest_no = float(design_of(design if anchor is None else anchor).rates[0])
    if honest_no == 0.5:
        raise EstimationError("the anchor's report of a no is an even toss; it tells nothing")
    rate, anchor_rate = (first + both) / n, (second + both) / n
    attentive = (anchor_rate - 0.5) / (honest_no - 0.5)
    if attentive <= 0:
        raise EstimationError(
            f"the estimated share of attentive people is {attentive:.3f}, not above 0; see whether"
            " the anchor's design is this one, and the counts are in order: neither, the anchor's"
            " alone, the question's alone, both"
        )
    # rate - 1/2 = attentive (without - 1/2 + (with_it - without) share)
    by_rate = 1 / (attentive * (with_it - without))
    value = ((rate - 0.5) / attentive + 0.5 - without) / (with_it - without)
    by_anchor = -(rate - 0.5) * by_rate / (attentive * (honest_no - 0.5))
    spreads = rate * (1 - rate), anchor_rate * (1 - anchor_rate)
    together = both / n - rate * anchor_rate
    variance = by_rate**2 * spreads[0] + by_anchor**2 * spreads[1]
    variance += 2 * by_rate * by_anchor * together
    # The coins of the two questions are independent, and so are tosses of the careless.
    coins = by_rate**2 * _least_coin(n, without, with_it, 0.5)
    coins += by_anchor**2 * _least_coin(n, honest_no, 0.5)
    error = sqrt(never_nothing(variance, coins, few=False) / n)
    rates = wilson(second + both, n, 0.95)
    low, high = sorted((end - 0.5) / (honest_no - 0.5) for end in rates)
    return Anchored(value, error, attentive, Interval(low, high, 0.95, "score"), n)


def _coin(rate: float) -> float:
    """Return the variance of a report that is yes with this chance."""
    return rate * (1 - rate)


def _least_coin(n: int, *rates: float) -> float:
    """Return the least variance of a report; that of two reports more if a chance is sure."""
    return min(map(_coin, rates)) or _coin(2 / (n + 4))


def _several(supposed: Sequence[float]) -> Sequence[float]:
    if not isinstance(supposed, Iterable):
        raise EstimationError(f"supposed shares must be a sequence of numbers, not {supposed!r}")
    return supposed
