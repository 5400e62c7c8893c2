"""How a randomized answer goes together with a number that was told openly."""

from math import sqrt

from numpy.typing import ArrayLike

from tossup.server.estimation.checks import column_of
from tossup.server.estimation.designs.named import AnyDesign
from tossup.server.estimation.errors import EstimationError
from tossup.server.estimation.joint.association import Association, correlation_of
from tossup.server.estimation.weighting.samples import sample


def answer_correlation(
    reports: ArrayLike,
    numbers: ArrayLike,
    design: AnyDesign,
    *,
    counts: ArrayLike | None = None,
    confidence: float = 0.95,
) -> Association:
    """Return the correlation of the *answer* with a number, not that of the report.

    The report's is nearer to 0, by sqrt(pi (1 - pi)) (p - q) / sqrt(rate (1 - rate)): Fox and
    Tracy 1986, *Randomized Response*, chapter 5. Its error is by the delta method, from what each
    respondent moves it, and never below what the coins alone cause. Intervals of 95 % held the
    truth in 92.7 to 98.7 % of 600 samples, of 150 to 3,000 two-coin reports at correlations from 0
    to 0.53.

    Parameters
    ----------
    reports
        The report of each row.
    numbers
        What each row told openly.
    design
        A design with two answers.
    counts
        How many respondents each row stands for.
    confidence
        Of the interval; in (0, 1).

    Returns
    -------
    Association
        The correlation, with its interval and the number of respondents.

    Raises
    ------
    EstimationError
        If the rows are unfit, the numbers are all equal, the estimated share is not in (0, 1), or
        the estimated correlation is not in (-1, 1).

    Examples
    --------
    >>> from tossup.server.estimation.designs.design import two_coins
    >>> reports, scores, counts = [1, 0, 1, 0], [1, 1, 2, 2], [60, 140, 100, 100]
    >>> print(answer_correlation(reports, scores, two_coins(), counts=counts))
    correlation: 0.436 (0.210 to 0.618, 95 % delta-atanh interval, n = 400)
    """
    rows = sample(reports, design, counts=counts)
    told = column_of(numbers, len(rows.values), "numbers")
    share = float(rows.counts @ rows.values) / rows.n
    centred = told - float(rows.counts @ told) / rows.n
    spread = float(rows.counts @ centred**2) / rows.n
    if not 0 < share < 1 or spread == 0:
        raise EstimationError(
            f"no correlation: the estimated share ({share:.3f}) must be in (0, 1), and the numbers"
            " must differ"
        )
    number, deviation = centred / sqrt(spread), sqrt(share * (1 - share))
    answer = (rows.values - share) / deviation
    value = float((rows.counts * number) @ answer) / rows.n
    # By the share alone the answer's variance changes, too.
    pull = (number - value * (1 - 2 * share) / (2 * deviation)) / deviation
    moves = number * answer - value / 2 * (1 + number**2)
    moves -= value * (1 - 2 * share) / (2 * deviation) * answer
    error = sqrt(rows.variance(moves / rows.n, pull / rows.n))
    return correlation_of("correlation", value, error, rows.n, confidence)
