"""What many reports of one kept value tell, by walking the coins of the second stage."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from math import prod

from walking import channel_row

from tossup.shared.mechanisms import Mechanism


class OfKept:
    """The second stage by itself: what is kept takes the place of the answer."""

    def __init__(self, mechanism: Mechanism) -> None:
        self.perturb = mechanism.again


@cache
def second_stage(mechanism: Mechanism) -> list[dict[int, Fraction]]:
    """Pr[report | kept] by walking all coins of the second stage."""
    return [channel_row(OfKept(mechanism), kept) for kept in range(mechanism.memory.reports)]


def chance_of(mechanism: Mechanism, answer: int, reports: Sequence[int]) -> Fraction:
    """Pr[these reports of one kept value | answer]: the sum over all that may be kept."""
    return sum(
        mechanism.memory.probability(answer, kept) * prod(row.get(y, 0) for y in reports)
        for kept, row in enumerate(second_stage(mechanism))
    )
