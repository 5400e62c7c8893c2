"""How far forged reports can move a share.

Nobody can tell a forged report from an honest one; that is what protects the honest. So the page
says how much a given share of forged reports could matter, whatever they say.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tossup.server.estimation.checks import part_below_one
from tossup.server.estimation.errors import EstimationError
from tossup.server.estimation.intervals.interval import Interval, Method
from tossup.server.estimation.shares.answer_share import AnswerShare, check_answer_share
from tossup.server.estimation.telling.wording import percentage, span

#: A slider's worth of shares of forged reports.
SLIDER = (0.0, 0.005, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5)


@dataclass(frozen=True, slots=True)
class Forged:
    """The honest respondents' share, should a share ``forged`` of the reports be made up."""

    forged: float
    interval: Interval
    n: int | None = None

    def __str__(self) -> str:
        kind = f"{percentage(self.interval.confidence)} {self.interval.method} interval"
        return f"{self.forged:g}: {span(self.interval, 4)}, {kind}, n = {self.n}"


def forged_interval(
    share: AnswerShare, forged: float, confidence: float = 0.95, method: Method = "score"
) -> Interval:
    """Return the interval of the honest respondents' share, if some reports are forged.

    A share b of all reports may say anything. If they all say yes, each counts for
    r = (1 - q) / (p - q); if all say no, for r = -q / (p - q). The honest share is then from
    (L - r_high b) / (1 - b) to (U - r_low b) / (1 - b), with [L, U] the interval of all reports.
    With two coins r is 3/2 and -1/2. It also holds if fewer than b are forged.

    Parameters
    ----------
    share
        The estimate from all reports.
    forged
        b, from 0 to below 1.
    confidence, method
        Of [L, U]; see `AnswerShare.interval`.

    Returns
    -------
    Interval
        In shares; its method begins with ``forged-``.

    Raises
    ------
    EstimationError
        If ``forged`` is outside [0, 1), or the share is no `AnswerShare`.

    Examples
    --------
    >>> from tossup.server.estimation.designs.design import two_coins
    >>> from tossup.server.estimation.papers.asking import estimate
    >>> share = estimate(yes=400, n=1000, design=two_coins())
    >>> interval = forged_interval(share, 0.05)
    >>> round(interval.low, 3), round(interval.high, 3)
    (0.174, 0.407)
    """
    check_answer_share(share)
    part_below_one(forged, "forged")
    if method == "profile":
        raise EstimationError("profile intervals are cut to [0, 1]; bound forged reports by score")
    least, most = share.ends
    whole = share.interval(confidence, method)
    low, high = (whole.low - most * forged), (whole.high - least * forged)
    return Interval(low / (1 - forged), high / (1 - forged), confidence, f"forged-{method}")


def forged_intervals(
    share: AnswerShare,
    forged: Sequence[float] = SLIDER,
    confidence: float = 0.95,
    method: Method = "score",
) -> tuple[Forged, ...]:
    """Return the interval for each of several shares of forged reports, for a slider.

    Parameters
    ----------
    share
        The estimate from all reports.
    forged
        Shares of forged reports, each from 0 to below 1.
    confidence, method
        As in `forged_interval`.

    Returns
    -------
    tuple
        A `Forged` a supposed share, in the order given.

    Raises
    ------
    EstimationError
        As `forged_interval`.
    """
    return tuple(Forged(b, forged_interval(share, b, confidence, method), share.n) for b in forged)
