"""Numbers told only by chance: the truth, or else a number of a known distribution."""

from math import isfinite

import numpy as np
from numpy.typing import ArrayLike

from tossup.server.estimation.checks import column_of
from tossup.server.estimation.designs.design import Probability, probability
from tossup.server.estimation.errors import EstimationError
from tossup.server.estimation.weighting.samples import Floats


def scrambled(
    reports: ArrayLike, *, told: Probability, mean: float, deviation: float
) -> tuple[Floats, Floats]:
    """Return the unbiased value of each report, and an unbiased estimate of its coins' variance.

    For `finite_total`. With probability ``told`` the report is the true number, otherwise one
    drawn from a distribution with known mean m and standard deviation s. The value is
    (report - (1 - told) m) / told. Its variance is a quadratic function of the truth, a y**2 +
    b y + c; that of the value itself has a mean larger by the factor 1 + a. The R package RRTCS
    (0.0.4) leaves that divisor out.

    Parameters
    ----------
    reports
        Numbers, one a row.
    told
        The chance of the truth, above 0.
    mean, deviation
        Of the other numbers.

    Returns
    -------
    tuple
        Two columns as long as the reports: values, and variances in their squared unit.

    Raises
    ------
    EstimationError
        If a number is missing or a parameter outside its range, or no report shows what its coins
        changed.

    References
    ----------
    Eriksson 1973, International Statistical Review 41:101-113; the estimate of the variance:
    Chaudhuri 2011, *Randomized Response and Indirect Questioning Techniques in Surveys*.

    Examples
    --------
    >>> values, noise = scrambled([0, 8], told=0.5, mean=4, deviation=2)
    >>> values.tolist(), noise.tolist()
    ([-4.0, 12.0], [36.0, 36.0])
    """
    given, p = column_of(reports, None, "reports"), float(probability(told, "told"))
    if p == 0 or not (isfinite(mean) and isfinite(deviation) and deviation >= 0):
        raise EstimationError("told must be above 0, mean finite, and deviation at least 0")
    values = (given - (1 - p) * mean) / p
    square = (1 - p) / p
    rest = ((1 - p) * (deviation**2 + mean**2) - ((1 - p) * mean) ** 2) / p**2
    noise = (square * values**2 - 2 * square * mean * values + rest) / (1 + square)
    if p < 1 and noise.max() <= 1e-12 * max(1e-150, float(np.square(values).max())):
        raise EstimationError(
            "every report is the mean of the numbers that chance draws, and these hardly vary, so"
            " reports do not show what the coins changed; give the deviation that they have"
        )
    return values, noise
