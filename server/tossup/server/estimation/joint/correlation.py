"""How a randomized answer goes together with a number that was told openly."""

from math import sqrt

from numpy.typing import ArrayLike

from tossup.server.estimation.checks import column_of
from tossup.server.estimation.designs.named import AnyDesign
from tossup.server.estimation.errors import EstimationError
from tossup.server.estimation.weighting.samples import sample


def answer_correlation(
    reports: ArrayLike,
    numbers: ArrayLike,
    design: AnyDesign,
    *,
    counts: ArrayLike | None = None,
) -> float:
    """Return the correlation of the *answer* with a number, not that of the report.

    The report's is nearer to 0, by sqrt(pi (1 - pi)) (p - q) / sqrt(rate (1 - rate)): Fox and
    Tracy 1986, *Randomized Response*, chapter 5.

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

    Returns
    -------
    float
        From -1 to 1, but for chance.

    Raises
    ------
    EstimationError
        If the rows are unfit, the numbers are all equal, or the estimated share is not in (0, 1).

    Examples
    --------
    >>> from tossup.server.estimation.designs.design import two_coins
    >>> round(answer_correlation([1, 0, 1, 0], [1, 1, 2, 2], two_coins(), counts=[3, 7, 5, 5]), 3)
    0.436
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
    together = float((rows.counts * centred) @ rows.values) / rows.n
    return together / sqrt(spread * share * (1 - share))
