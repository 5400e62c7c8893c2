"""Discrete Gaussian noise as whole numbers, worked out once when a design is made.

No device computes an exponential: a manifest carries the whole numbers.
"""

from collections.abc import Iterator
from decimal import ROUND_HALF_EVEN, Context, Decimal, localcontext
from itertools import accumulate, islice
from typing import Final

from tossup.shared.coins import MAX_WEIGHT_SUM

PRECISE: Final = Context(prec=40, rounding=ROUND_HALF_EVEN)

#: Strips of a standard deviation in which the noise beyond the margin is summed.
_STRIPS: Final = 256
#: A strip that adds less in proportion is the last one.
_NEGLIGIBLE: Final = Decimal("1e-12")


def gaussian_tails(points: int, margin: int, sigma: Decimal) -> tuple[int, ...]:
    """Return tails whose noise of k steps weighs about exp(-k**2 / (2 sigma**2)) of a noise of 0.

    Weights are rounded up, so that none is 0.

    Parameters
    ----------
    sigma
        The standard deviation in steps, before clipping.
    """
    widest = points - 1 + margin
    sizes = [*islice(_densities(sigma, Decimal(0), Decimal(1)), widest), _beyond(sigma, widest)]
    total = PRECISE.subtract(PRECISE.multiply(_sum(sizes), Decimal(2)), sizes[0])
    # Rounding up adds at most one to each of the 2 * widest + 1 weights.
    scale = PRECISE.divide(Decimal(MAX_WEIGHT_SUM - 2 * widest - 1), total)
    whole = [int(PRECISE.multiply(scale, size)) + 1 for size in sizes]
    return tuple(accumulate(reversed(whole)))[::-1]


def _sum(numbers: list[Decimal]) -> Decimal:
    total = Decimal(0)
    for number in numbers:
        total = PRECISE.add(total, number)
    return total


def _densities(sigma: Decimal, start: Decimal, step: Decimal) -> Iterator[Decimal]:
    """Yield exp(-y**2 / (2 sigma**2)) at start, start + step, and so on."""
    size, factor, fall = _first(sigma, start, step)
    while True:
        yield size
        size, factor = PRECISE.multiply(size, factor), PRECISE.multiply(factor, fall)


def _first(sigma: Decimal, start: Decimal, step: Decimal) -> tuple[Decimal, Decimal, Decimal]:
    """Return the density at start, the factor to the next, and the ratio by which that falls."""
    rate = PRECISE.divide(Decimal(-1), PRECISE.multiply(sigma, sigma))
    half = PRECISE.divide(PRECISE.multiply(rate, PRECISE.multiply(start, start)), Decimal(2))
    squared = PRECISE.multiply(rate, PRECISE.multiply(step, step))
    across = PRECISE.multiply(rate, PRECISE.multiply(start, step))
    factor = PRECISE.exp(PRECISE.add(across, PRECISE.divide(squared, Decimal(2))))
    return PRECISE.exp(half), factor, PRECISE.exp(squared)


def _beyond(sigma: Decimal, start: int) -> Decimal:
    """Return the sum of the densities from start on; wide noise by the middles of short strips.

    They are those of `_densities`, by operators, which take half the time: most of a design's.
    """
    strip = max(1, int(sigma) // _STRIPS)
    middle = PRECISE.divide(Decimal(2 * start + strip - 1), Decimal(2))
    density, factor, fall = _first(sigma, middle, Decimal(strip))
    with localcontext(PRECISE):
        total = density
        while density > total * _NEGLIGIBLE:
            density *= factor
            factor *= fall
            total += density
        return total * strip
