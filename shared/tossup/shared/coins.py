"""Exact random choices from the operating system's CSPRNG.

Stage: the coins. This module knows nothing of answers. All probabilities are ratios of
integers, and every choice is made by rejection, so none is rounded.

Bits are read least significant first from the byte source. Any SDK that reads the same bytes in
the same order makes the same choices; the vectors, in the folder ``vectors``, pin this down.
"""

import os
from bisect import bisect_left
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache, partial
from math import comb

ByteSource = Callable[[int], bytes]

#: Largest sum of weights a mechanism may use: what the browser's 32-bit integers can follow.
MAX_WEIGHT_SUM = 1 << 32

_SPARE_EXPONENT = 128  # a second draw is needed with probability at most 2**-128


def fresh_byte() -> int:
    """Draw one byte from the operating system: eight fair coins, for one choice and no other."""
    return os.urandom(1)[0]


@cache
def bytes_for(n: int) -> int:
    """Return how many bytes `Coins.below` draws at once to choose among ``n`` values.

    One attempt reads b = (n - 1).bit_length() bits and fails with probability 1 - n / 2**b. The
    draw holds enough attempts that all fail with probability at most 2**-128: the number of
    bytes drawn is a constant of the design, whatever the answer and the report.

    >>> bytes_for(4), bytes_for(7)
    (1, 17)
    """
    bits = (n - 1).bit_length()
    total, missed = 1 << bits, (1 << bits) - n
    attempts = 1
    while missed and (missed**attempts << _SPARE_EXPONENT) > total**attempts:
        attempts += 1
    return max(1, -(-bits * attempts // 8))


def bytes_for_run(sizes: Sequence[int]) -> int:
    """Return how many bytes `Coins.reserve` draws for a run of choices among these many values.

    With m choices and m + s attempts, the run fails only if s + 1 attempts do, by the union bound
    with probability at most C(m + s, s + 1) c**(s + 1), where c < 1/2 is the largest chance of one
    attempt to fail. The draw holds enough attempts for this to be at most 2**-128, so that a run
    costs a constant number of bytes, and fewer than as many single choices.

    >>> bytes_for_run([4] * 16), bytes_for_run([7] * 16)
    (4, 29)
    """
    bits = max((size - 1).bit_length() for size in sizes)
    chance = max(
        Fraction((1 << (n - 1).bit_length()) - n, 1 << (n - 1).bit_length()) for n in sizes
    )
    most = 1
    while not _suffices(len(sizes), most, chance):
        most *= 2
    spare = bisect_left(range(most), True, key=partial(_suffices, len(sizes), chance=chance))  # noqa: FBT003
    return -(-bits * (len(sizes) + spare) // 8)


def _suffices(choices: int, spare: int, chance: Fraction) -> bool:
    """Return whether this many spare attempts make a run fail with probability <= 2**-128."""
    fails = spare + 1
    ways = comb(choices + spare, fails) << _SPARE_EXPONENT
    return ways * int(chance.numerator**fails) <= int(chance.denominator**fails)


class Coins:
    """A short-lived run of fair coins: make a new one for every answer.

    Bits left over from one choice serve the next one on the same object. They are dropped in a
    forked child, so that parent and child never share a coin.

    Parameters
    ----------
    source
        Returns the asked number of random bytes. The operating system's CSPRNG in all real use;
        tests and vectors pass recorded bytes. There is no seed.
    """

    __slots__ = ("_bits", "_left", "_pid", "_source")

    def __init__(self, source: ByteSource = os.urandom) -> None:
        self._source = source
        self._bits = 0
        self._left = 0
        self._pid = os.getpid()

    def reserve(self, count: int) -> None:
        """Draw ``count`` bytes at once, for a run of choices that follows."""
        self._forget_if_forked()
        self._draw(count)

    def toss(self) -> int:
        """Toss one fair coin: 1 (heads) or 0 (tails), each with probability exactly 1/2."""
        return self.below(2)

    def bits(self, count: int) -> int:
        """Toss ``count`` fair coins; return their bits as a number from 0 to 2**count - 1."""
        return self._take(count, -(-count // 8))

    def below(self, n: int) -> int:
        """Choose one of 0, ..., n - 1, each with probability exactly 1/n.

        Raises
        ------
        ValueError
            If ``n`` is not an integer from 1 to 2**32.
        """
        if type(n) is not int or not 1 <= n <= MAX_WEIGHT_SUM:
            raise ValueError(f"n ({n!r}) must be an integer from 1 to 2**32")
        bits = (n - 1).bit_length()
        while True:
            choice = self._take(bits, bytes_for(n))
            if choice < n:
                return choice

    def _take(self, bits: int, draw: int) -> int:
        """Return the next ``bits`` bits, drawing ``draw`` fresh bytes whenever too few are left."""
        self._forget_if_forked()
        while self._left < bits:
            self._draw(draw)
        taken = self._bits & ((1 << bits) - 1)
        self._bits >>= bits
        self._left -= bits
        return taken

    def _draw(self, count: int) -> None:
        fresh = self._source(count)
        self._bits |= int.from_bytes(fresh, "little") << self._left
        self._left += 8 * len(fresh)

    def _forget_if_forked(self) -> None:
        if self._pid != os.getpid():
            self._bits, self._left, self._pid = 0, 0, os.getpid()
