"""Views of a distribution: the likeliest shares of all points, by expectation maximization.

A view is never negative, sums to 1 and is biased; it is for looking at. What is published as an
estimate is raw (`tossup.server.estimation.numbers.statistics`).
"""

from typing import Final

import numpy as np

from tossup.server.estimation.checks import Counts
from tossup.server.estimation.designs.scores import Floats, channel_array, checked_tally
from tossup.server.estimation.errors import EstimationError
from tossup.shared.mechanisms import GridMechanism

_MOST_ROUNDS: Final = 1000
_SMALLEST_GAIN: Final = 1e-3


def distribution_view(
    counts: Counts, mechanism: GridMechanism, *, smooth: bool
) -> tuple[float, ...]:
    """Return the likeliest share of every point, from 0 to 1 and 1 in sum.

    Parameters
    ----------
    counts
        Reports of each value.
    mechanism
        One whose reports tell the distribution.
    smooth
        Whether to average each point with its neighbours (weights 1, 2, 1) in every round,
        which keeps the noise of fine grids from being fitted: Li et al. 2020, SIGMOD,
        section 5.5 (EMS). Without, the plain maximum likelihood.

    Returns
    -------
    tuple
        A share a point of the grid, in its order.

    Raises
    ------
    EstimationError
        If there is no report, the counts do not fit the mechanism, or its reports tell a mean
        only.

    Examples
    --------
    >>> from tossup.shared.mechanisms import TruncatedGeometric
    >>> view = distribution_view((0, 0, 9), TruncatedGeometric(3, (6, 3, 2)), smooth=False)
    >>> [round(share, 3) for share in view]
    [0.0, 0.0, 1.0]
    """
    tally = checked_tally(counts, mechanism)
    if not mechanism.tells_distribution:
        raise EstimationError(f"reports of {mechanism.name} tell a mean, not a distribution")
    channel = channel_array(mechanism)
    shares = np.full(mechanism.answers, 1 / mechanism.answers)
    likelihood = -np.inf
    for _ in range(_MOST_ROUNDS):
        expected = shares @ channel
        reached = float(tally @ np.log(expected))
        if reached - likelihood < _SMALLEST_GAIN:
            break
        likelihood = reached
        shares = shares * (channel @ (tally / expected))
        shares = _smoothed(shares / shares.sum()) if smooth else shares / shares.sum()
    return tuple(shares.tolist())


def _smoothed(shares: Floats) -> Floats:
    """Return the average of each share and its neighbours; the ends count double."""
    wide = np.concatenate([shares[:1], shares, shares[-1:]])
    averaged = wide[:-2] + 2 * wide[1:-1] + wide[2:]
    smoothed: Floats = averaged / averaged.sum()
    return smoothed
