"""A view of shares that are possible: never negative, and 1 in sum."""

from collections.abc import Sequence


def norm_sub(shares: Sequence[float]) -> tuple[float, ...]:
    """Return the nearest possible shares, by Euclidean distance: a view and never an estimate.

    The same number is taken from all, and what is below 0 is set to 0. It is biased, shares near
    0 upwards most of all, and has no standard error; the raw estimates are what is published.
    (Clipping at 0 and rescaling to 1 moves shares much further: it made 7 % of a true 20 %.)

    Parameters
    ----------
    shares
        Raw estimates, one or more; any finite numbers.

    Returns
    -------
    tuple
        As many shares, none below 0, which sum to 1.

    References
    ----------
    Duchi, Shalev-Shwartz, Singer and Chandra 2008, ICML, figure 1; Wang et al. 2020, NDSS.

    Examples
    --------
    >>> norm_sub([0.5, 0.75, -0.25])
    (0.375, 0.625, 0.0)
    """
    cut = total = 0.0
    for place, share in enumerate(sorted(shares, reverse=True), start=1):
        total += share
        if share * place > total - 1:
            cut = (total - 1) / place
    return tuple(max(0.0, share - cut) for share in shares)
