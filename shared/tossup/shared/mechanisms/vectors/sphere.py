"""A random direction, exactly: real numbers whose digits are drawn when they are needed.

Stage: answer to report, inside one mechanism. The first digits of a uniform number give an
interval that holds it, and more digits a narrower one. What is decided by intervals is decided
about the real number, and ends with probability 1.

A uniform point of the sphere in 2 q dimensions is made of q pairs of components. Their squared
lengths are the q gaps that q - 1 uniform numbers cut [0, 1] into, and each pair points to a
uniform point of the disc (Devroye 1986, sections V.2 to V.4; docs/proofs/privunit.md).
"""

from collections.abc import Iterator
from typing import Final

from tossup.shared.coins import Coins
from tossup.shared.mechanisms.vectors.base import root_down, root_up

#: Binary digits of one word, and how many words are drawn at first.
WORD: Final = 64
WORDS: Final = 3

Bounds = tuple[int, int]


class Uniform:
    """A uniform real number of [0, 1)."""

    __slots__ = ("_coins", "_value", "_words")

    def __init__(self, coins: Coins) -> None:
        self._coins = coins
        self._words = WORDS
        self._value = coins.bits(WORD * WORDS)

    def first(self, words: int) -> int:
        """Return its first digits, as an integer: the number is that, and below 1 more."""
        while self._words < words:
            self._value = self._value << WORD | self._coins.bits(WORD)
            self._words += 1
        return self._value >> WORD * (self._words - words)


class Direction:
    """A uniform point of the unit sphere in an even number of dimensions, from 2 on.

    Its first component can be looked at before the others are drawn.
    """

    __slots__ = ("_cuts", "_dimensions", "_pairs", "_signs")

    def __init__(self, dimensions: int, coins: Coins) -> None:
        self._dimensions = dimensions
        self._signs = coins.bits(dimensions)
        self._cuts = [Uniform(coins) for _ in range(dimensions // 2 - 1)]
        self._pairs = [_in_disc(coins)]

    def complete(self, coins: Coins) -> None:
        """Draw what all components but the first need."""
        missing = self._dimensions // 2 - len(self._pairs)
        self._pairs += [_in_disc(coins) for _ in range(missing)]

    def first(self, words: int) -> Bounds:
        """Return bounds of the first component, in parts of 2**(64 words)."""
        return next(self.components(words))

    def components(self, words: int) -> Iterator[Bounds]:
        """Yield bounds of each component, in parts of 2**(64 words)."""
        one = 1 << WORD * words
        sizes = (
            size
            for gap, (x, y) in zip(self._gaps(words), self._pairs, strict=False)
            for size in _pair(gap, (x.first(words), y.first(words)), one)
        )
        for place, (low, high) in enumerate(sizes):
            yield (-high, -low) if self._signs >> place & 1 else (low, high)

    def _gaps(self, words: int) -> Iterator[Bounds]:
        """Yield bounds of the gaps between the cuts.

        Digits keep the order of numbers, so that sorted first digits are those of the sorted
        numbers.
        """
        one = 1 << WORD * words
        below = (0, 0)
        for cut in sorted(cut.first(words) for cut in self._cuts):
            yield max(0, cut - below[1]), cut + 1 - below[0]
            below = (cut, cut + 1)
        yield max(0, one - below[1]), one - below[0]


def _in_disc(coins: Coins) -> tuple[Uniform, Uniform]:
    """Return a uniform point of a quarter of the unit disc: uniform ones of the square, until."""
    while True:
        x, y = Uniform(coins), Uniform(coins)
        words = WORDS
        while True:
            a, b, square = x.first(words), y.first(words), 1 << 2 * WORD * words
            if (a + 1) ** 2 + (b + 1) ** 2 <= square:
                return x, y
            if a**2 + b**2 >= square:
                break
            words += 1


def _pair(gap: Bounds, digits: tuple[int, int], one: int) -> Iterator[Bounds]:
    """Yield bounds of both sizes of a pair: sqrt(gap / (x**2 + y**2)) times x, and times y."""
    x, y = digits
    for this, other in ((x, y), (y, x)):
        low = gap[0] * one * this**2 // (this**2 + (other + 1) ** 2)
        high = -(-gap[1] * one * (this + 1) ** 2 // ((this + 1) ** 2 + other**2))
        yield root_down(low), root_up(high)
