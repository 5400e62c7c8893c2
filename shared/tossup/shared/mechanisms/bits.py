"""Bits of a report that are drawn one by one, each of them both ways."""

from collections.abc import Iterable

from tossup.shared.coins import Coins


def mask(bits: Iterable[bool]) -> int:
    """Return the integer with these bits, the first one lowest."""
    return sum(bit << place for place, bit in enumerate(bits))


def noisy(truth: int, options: int, weights: tuple[int, int, int], coins: Coins) -> int:
    """Return a mask whose bits are set with one weight where the truth's are, else with another.

    Each bit is made both ways, and the true mask takes one: no branch on the truth.

    Parameters
    ----------
    truth
        A mask of so many options.
    weights
        Of a set bit where the true one is set, of one where it is not, and what both are out of.
    """
    hit, miss, total = weights
    draws = [coins.below(total) for _ in range(options)]
    hits = mask(draw < hit for draw in draws)
    misses = mask(draw < miss for draw in draws)
    return hits & truth | misses & ~truth
