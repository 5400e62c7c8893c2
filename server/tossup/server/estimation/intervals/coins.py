"""What coins alone make estimates vary: reports that agree are no proof that nothing varies.

Few reports may agree by chance, and then show no spread at all. But each was randomized, so it
varies at least as much as its coins make it vary, and how much that is the channel says.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

#: So many reports are not few: their own spread tells how they vary.
MANY: Final = 1000


def rate_for_errors(k: int, n: int, rates: tuple[float, float]) -> float:
    """Return which chance of a report to take for standard errors, when k of n reports are it.

    The fraction that was seen, unless all reports agree. Then it is the nearest chance that the
    design allows, or that of two reports more of either kind if that is further from 0 and 1, for
    designs that let all reports agree, or nearly so: with them plus and minus two standard errors
    reach as far as a score interval does (Agresti and Coull 1998, American Statistician
    52:119-126).

    Parameters
    ----------
    k, n
        Reports of the kind, and reports in all.
    rates
        Two chances of the report between which that of any population lies.

    Examples
    --------
    >>> [rate_for_errors(k, 20, (0.25, 0.75)) for k in (0, 7, 20)]
    [0.25, 0.35, 0.75]
    """
    low, high = min(rates), max(rates)
    if k == 0:
        return max(low, 2 / (n + 4))
    return min(high, (n + 2) / (n + 4)) if k == n else k / n


def variances_given_answers(channel: Floats, scores: Floats) -> Floats:
    """Return the variance of what a report counts for, given each answer: that of its coins.

    Parameters
    ----------
    channel
        ``channel[answer][report]``.
    scores
        What a report of each kind counts for; several columns are taken one by one.
    """
    variances: Floats = np.maximum(channel @ scores**2 - (channel @ scores) ** 2, 0.0)
    return variances


def squares_of_shares(squares: NDArray[np.floating], shares: Floats) -> list[tuple[float, float]]:
    """Return, for each share, the mean square of its scores: with the answer, and of all others.

    Parameters
    ----------
    squares
        ``squares[answer][share]``: the mean square, given the answer, of what a report counts for
        in each share.
    shares
        How common each answer is; none negative. Where there is no other answer, all others are
        taken to be equally common.

    Examples
    --------
    >>> squares_of_shares(np.array([[3.0, 2.0], [1.0, 4.0]]), np.array([0.2, 0.8]))
    [(3.0, 1.0), (4.0, 2.0)]
    """
    own = squares.diagonal()
    rest = (1 - np.eye(len(own))) * shares[:, None]
    rest += (rest.sum(axis=0) <= 0) * (1 - np.eye(len(own)))
    others = (rest * squares).sum(axis=0) / rest.sum(axis=0)
    return list(zip(own.tolist(), others.tolist(), strict=True))


def never_nothing(seen: float, coins: float, *, few: bool) -> float:
    """Return a variance that was seen, or that of the coins alone where the first is no measure.

    Few reports may agree by chance: the variance is then not below that of the coins. Many do not:
    a little less than that of the coins is seen by chance, where nearly all answers are the same,
    and stands as papers print it; less than a quarter of it is not.
    """
    return seen if seen >= (coins if few else coins / 4) else coins


def score_variance(
    tally: Floats, scores: Floats, coins: float, even: Floats, *, few: bool = True
) -> float:
    """Return the estimated variance of what one report counts for, with divisor n - 1.

    Where all reports count the same it is that of the coins; or, if the coins hardly vary, that
    of the reports with four more (see `rate_for_errors`).

    Parameters
    ----------
    tally
        Reports of each kind, not all 0.
    scores
        What a report of each kind counts for.
    coins
        The variance that the coins alone must cause.
    even
        How likely each kind of report is where all answers are equally common: the kinds of the
        four.
    few
        See `never_nothing`.

    Examples
    --------
    >>> all_no, scores = np.array([20.0, 0.0]), np.array([-0.5, 1.5])
    >>> score_variance(all_no, scores, 0.75, np.array([0.5, 0.5]))
    0.75
    """
    n = float(tally.sum())
    told = scores[tally > 0]
    if np.ptp(told) == 0:
        away, part = scores - told[0], 4 / (n + 4)
        return never_nothing(
            coins, part * float(even @ away**2) - (part * float(even @ away)) ** 2, few=False
        )
    mean = float(tally @ scores) / n
    seen = float(tally @ (scores - mean) ** 2) / (n - 1)
    return never_nothing(seen, coins, few=few)


def floored(covariance: Floats, errors: Floats) -> Floats:
    """Return a covariance of the same correlations, with these standard errors.

    Where an estimate does not seem to vary at all, it goes together with no other.
    """
    spread = np.sqrt(np.diag(covariance).clip(min=0))
    by = np.divide(errors, spread, out=np.zeros_like(spread), where=spread > 1e-9 * errors)
    scaled: Floats = covariance * np.outer(by, by)
    np.fill_diagonal(scaled, np.square(errors))
    return scaled
