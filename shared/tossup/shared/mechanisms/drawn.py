"""How reports are drawn without a branch on the answer: from tables, or bit by bit.

Of a table one draw is followed: so many bounds of the answer's row lie at or below it. Whole
numbers are reckoned with here without the module of floats.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from typing import Final

from tossup.shared.coins import MAX_WEIGHT_SUM, Coins
from tossup.shared.mechanisms.base import Table, TableMechanism

#: Rows of positive numbers, each in proportion to the probabilities of its answer's reports.
Rows = tuple[tuple[int, ...], ...]

ROUNDED_SUM: Final = MAX_WEIGHT_SUM


class DrawnTable(TableMechanism):
    """A mechanism whose report is found by one draw against the weights of the answer's row.

    The reports of all answers are found, each row gone through to its end, and one is taken:
    numbers of other sizes in another row would tell by nanoseconds which row it was.
    """

    @cached_property
    def _bounds(self) -> Table:
        """Each row's sums of weights, all but the total."""
        return tuple(tuple(accumulate(row[:-1])) for row in self.weights)

    def _sample(self, answer: int, coins: Coins) -> int:
        draw = coins.below(sum(self.weights[0]))
        found = [sum(draw >= bound for bound in bounds) for bounds in self._bounds]
        return found[answer]


def integer_table(rows: Rows) -> Table:
    """Return integer weights in proportion to every row, all rows with one sum of at most 2**32.

    Exact where integers of that size are. Elsewhere the sum is 2**32, every weight is rounded down,
    and what is left over goes to the row's first largest weight. It is this table that is tossed,
    and whose odds count.

    >>> integer_table(((2, 1, 1), (1, 3, 1)))
    ((10, 5, 5), (4, 12, 4))
    """
    reduced = [_reduced(row) for row in rows]
    total = least_multiple(sum(row) for row in reduced)
    if total <= MAX_WEIGHT_SUM:
        return tuple(tuple(w * (total // sum(row)) for w in row) for row in reduced)
    return tuple(_rounded(row) for row in reduced)


def _reduced(row: Sequence[int]) -> list[int]:
    divisor = greatest_divisor(row)
    return [weight // divisor for weight in row]


def _rounded(row: list[int]) -> tuple[int, ...]:
    total = sum(row)
    weights = [weight * ROUNDED_SUM // total for weight in row]
    weights[weights.index(max(weights))] += ROUNDED_SUM - sum(weights)
    return tuple(weights)


def greatest_divisor(values: Iterable[int]) -> int:
    """Return the greatest common divisor of positive integers.

    >>> greatest_divisor([12, 18, 8])
    2
    """
    found = 0
    for value in values:
        found = value // Fraction(found, value).denominator if value else found
    return found


def least_multiple(values: Iterable[int]) -> int:
    """Return the least common multiple of positive integers.

    >>> least_multiple([4, 6, 3])
    12
    """
    found = 1
    for value in values:
        found *= Fraction(found, value).denominator
    return found


def factorial(n: int) -> int:
    """Return the number of orders of n things.

    >>> factorial(4)
    24
    """
    product = 1
    for factor in range(2, n + 1):
        product *= factor
    return product


def binomial(n: int, k: int) -> int:
    """Return the number of ways to choose k of n things.

    >>> binomial(5, 2)
    10
    """
    ways = 1
    for place in range(k):
        ways = ways * (n - place) // (place + 1)
    return ways


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
