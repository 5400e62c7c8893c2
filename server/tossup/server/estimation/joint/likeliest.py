"""The likeliest possible shares of a table: expectation and maximization, accelerated.

Each step of plain expectation and maximization (Dempster, Laird and Rubin 1977, Journal of the
Royal Statistical Society B 39:1-38) makes shares likelier, but of noisy reports it needs tens of
thousands. Two steps tell where the next ones lead: Varadhan and Roland 2008, Scandinavian Journal
of Statistics 35:335-353 (SQUAREM, third step length), taken only where it is likelier still.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_PRECISION: Final = 1e-12
_MOST_ROUNDS: Final = 1000


def along(matrices: Sequence[Floats], table: Floats) -> Floats:
    """Return the table with a matrix applied along each axis: the Kronecker product, unbuilt."""
    for matrix in matrices:
        # What was the first axis becomes the last: after all of them they stand as before.
        table = (matrix @ table.reshape(matrix.shape[1], -1)).T
    return table.reshape([len(matrix) for matrix in matrices])


def likeliest(channels: Sequence[Floats], observed: Floats) -> Floats:
    """Return the likeliest shares of answers, none negative, summing to 1.

    Parameters
    ----------
    channels
        One an axis, ``[report][answer]``.
    observed
        The fractions of reports, summing to 1.

    Returns
    -------
    ndarray
        Shares that one more step changes by less than 1e-12, or those after 1,000 rounds: of 256
        cells and a million reports their likelihood is then within 1e-8 of the highest for each
        report.
    """
    shares = np.full(observed.shape, 1 / observed.size)
    reached = _likelihood(channels, observed, shares)
    for _ in range(_MOST_ROUNDS):
        once = _step(channels, observed, shares)
        if np.abs(once - shares).max() < _PRECISION:
            return once
        twice = _step(channels, observed, once)
        shares, reached = _leap(channels, observed, (shares, once, twice), reached)
    return shares


def _leap(
    channels: Sequence[Floats],
    observed: Floats,
    path: tuple[Floats, Floats, Floats],
    reached: float,
) -> tuple[Floats, float]:
    """Return where two steps lead, further on if that is possible and likelier, and how likely."""
    start, once, twice = path
    change = once - start
    bend = twice - once - change
    size = float(np.linalg.norm(bend))
    length = float(np.linalg.norm(change)) / size if size else 1.0
    while length > 1:
        far = start + 2 * length * change + length**2 * bend
        if far.min() >= 0:
            shares = _step(channels, observed, far)
            likelihood = _likelihood(channels, observed, shares)
            if likelihood >= reached:
                return shares, likelihood
        length = (length + 1) / 2 if length > 1.1 else 1.0
    return twice, _likelihood(channels, observed, twice)


def _step(channels: Sequence[Floats], observed: Floats, shares: Floats) -> Floats:
    return shares * _slopes(channels, observed, shares)


def _slopes(channels: Sequence[Floats], observed: Floats, shares: Floats) -> Floats:
    expected = along(channels, shares)
    ratio = np.divide(observed, expected, out=np.zeros_like(observed), where=observed > 0)
    return along([channel.T for channel in channels], ratio)


def _likelihood(channels: Sequence[Floats], observed: Floats, shares: Floats) -> float:
    seen = observed > 0
    return float((observed[seen] * np.log(along(channels, shares)[seen])).sum())
