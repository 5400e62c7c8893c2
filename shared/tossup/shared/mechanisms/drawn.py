"""Tables that are followed by one draw: how many bounds of each row lie at or below it."""

from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate
from typing import Final

from tossup.shared.coins import MAX_WEIGHT_SUM, Coins
from tossup.shared.mechanisms.base import Table, TableMechanism
from tossup.shared.mechanisms.whole import greatest_divisor, least_multiple

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

    Exact where integers of that size are: the sum is then the least common one. Elsewhere the
    sum is 2**32, every weight is rounded down, and what is left over goes to the row's first
    largest weight. Whatever the rounding, it is this table that is tossed, and whose odds count.

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
