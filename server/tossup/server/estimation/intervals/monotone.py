"""Monotone fits: the rising sequence nearest to values that chance has put out of order."""

import numpy as np

from tossup.server.estimation.checks import Floats


def rising_fit(values: Floats, weights: Floats) -> Floats:
    """Return the never falling sequence of least weighted squared distance to the values.

    Pool adjacent violators: while a block lies below the one before it, both become one block at
    their weighted mean.

    Parameters
    ----------
    values
        In the order in which they should rise.
    weights
        One a value, above 0: what one over its variance is, up to a factor.

    References
    ----------
    Ayer, Brunk, Ewing, Reid and Silverman 1955, Ann. Math. Stat. 26:641-647.

    Examples
    --------
    >>> rising_fit(np.array([1.0, 4.0, 2.0, 5.0]), np.array([1.0, 1.0, 3.0, 1.0])).tolist()
    [1.0, 2.5, 2.5, 5.0]
    """
    blocks: list[tuple[float, float, int]] = []  # mean, weight, length
    for value, weight in zip(values.tolist(), weights.tolist(), strict=True):
        mean, total, length = value, weight, 1
        while blocks and blocks[-1][0] > mean:
            before, heavy, long = blocks.pop()
            mean = (before * heavy + mean * total) / (heavy + total)
            total, length = heavy + total, long + length
        blocks.append((mean, total, length))
    return np.repeat([mean for mean, _, _ in blocks], [length for _, _, length in blocks])
