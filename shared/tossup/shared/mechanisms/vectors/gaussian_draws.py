"""Normal noise of whole steps, exactly: a uniform number against sums of exponentials.

Stage: answer to report, inside one mechanism. No table of integers has these probabilities, which
are exp(-k**2 / (2 sigma**2)) over the sum of all such. So sums are bounded from below and above by
integers, and a noise is what the digits of a uniform real number decide; if they do not, more
digits are drawn and the bounds get closer (see `tossup.shared.mechanisms.vectors.sphere`).
"""

from bisect import bisect_left, bisect_right
from fractions import Fraction
from functools import lru_cache
from typing import Final

from tossup.shared.coins import Coins
from tossup.shared.mechanisms.vectors.roots import root_up
from tossup.shared.mechanisms.vectors.sphere import WORD, WORDS, Bounds, Uniform

#: Binary digits beyond those drawn, so that bounds hardly ever leave a draw undecided.
_GUARD: Final = 64


def exponential(exponent: Fraction, bits: int) -> Bounds:
    """Return integers that 2**bits exp(-exponent) lies between, for an exponent from 0 on.

    The series of exp(-x) for x = exponent / 2**m, at most 1, then m squares. A term is the last
    times x over its place, rounded down: of less than 2 units too small, each. What follows the
    last term is less than that term, since terms alternate and fall.

    >>> exponential(Fraction(0), 8)
    (256, 256)
    >>> exponential(Fraction(1), 16)
    (24109, 24110)
    """
    squares = max(0, int(exponent).bit_length())
    wide = bits + _GUARD + 2 * squares
    numerator, denominator = exponent.numerator, exponent.denominator << squares
    term, total, place = 1 << wide, 0, 0
    while term:
        total += -term if place % 2 else term
        place += 1
        term = term * numerator // (denominator * place)
    slack = 2 * place if exponent else 0
    low, high = max(0, total - slack), total + slack
    for _ in range(squares):
        low, high = low * low >> wide, -(-high * high >> wide)
    spare = wide - bits
    return low >> spare, -(-high >> spare)


@lru_cache(maxsize=8)
def sums(squared: int, words: int) -> tuple[tuple[int, ...], tuple[int, ...], Bounds]:
    """Return bounds of the weights of all noise of at most k steps, for each k, and of all noise.

    In parts of 2**(64 words + 64) of the weight of no noise. Each exponential is the last times a
    ratio that falls by one factor; products are rounded down for lower bounds, up for upper ones.
    Beyond the last step L they are below one part each and fall by exp(-L / sigma**2) or more a
    step, so that all of them sum to at most sigma**2 / L parts, on either side.
    """
    bits = WORD * words + _GUARD
    last = root_up(7 * squared * bits // 5) + 1  # 7 / 5 > 2 ln 2
    falls = exponential(Fraction(1, squared), bits), exponential(Fraction(1, 2 * squared), bits)
    lows, highs = [1 << bits], [1 << bits]
    (low, high), (ratio_low, ratio_high) = (1 << bits, 1 << bits), falls[1]
    for _ in range(last):
        low, high = low * ratio_low >> bits, -(-high * ratio_high >> bits)
        ratio_low = ratio_low * falls[0][0] >> bits
        ratio_high = -(-ratio_high * falls[0][1] >> bits)
        lows.append(lows[-1] + 2 * low)
        highs.append(highs[-1] + 2 * high)
    beyond = 2 * (2 + squared // last)
    return tuple(lows), tuple(highs), (lows[-1], highs[-1] + beyond)


def gaussian_noise(squared: int, uniform: Uniform) -> int:
    """Return how many steps a noise has, either way, by a uniform number.

    Noise of k steps, up or down, is as likely as exp(-k**2 / (2 squared)) over the sum of all.
    """
    words = WORDS
    while True:
        lows, highs, (least, most) = sums(squared, words)
        drawn, shift = uniform.first(words), WORD * words
        first = bisect_right(highs, drawn * least >> shift)
        last = bisect_left(lows, -(-(drawn + 1) * most >> shift))
        if first == last < len(lows):
            return first
        words += 1


def drawn_noise(squared: int, dimension: int, coins: Coins) -> tuple[int, ...]:
    """Return independent noise for each component; every noise costs the same number of coins."""
    signs = coins.bits(dimension)
    sizes = [gaussian_noise(squared, Uniform(coins)) for _ in range(dimension)]
    return tuple(-size if signs >> place & 1 else size for place, size in enumerate(sizes))
