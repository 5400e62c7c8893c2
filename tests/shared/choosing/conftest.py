"""What tests of choices by score share: coins that are led, and sums of geometric series."""

from collections.abc import Callable, Sequence
from fractions import Fraction

import pytest

from tossup.shared.coins import Coins

Noise = Callable[[int], Fraction]


class Chosen(Coins):
    """Coins that choose a given value once, and refuse a second choice."""

    def __init__(self, value: int) -> None:
        super().__init__()
        self.values = [value]

    def below(self, n: int) -> int:
        value = self.values.pop()
        assert 0 <= value < n
        return value


@pytest.fixture(scope="session")
def chosen():
    """Coins for one given draw."""
    return Chosen


@pytest.fixture(scope="session")
def noisy_max():
    """Return the chances that each option has the largest noisy score, ties broken fairly.

    Summed over all values that the largest sum may have up to some noise: too low by no more
    than the chance of larger noise.
    """

    def chances(losses: Sequence[int], equal: Noise, below: Noise, largest: int) -> list[Fraction]:
        return [
            sum(
                (
                    equal(top + own) * _unbeaten(losses, place, top, equal, below)
                    for top in range(-max(losses) - largest, largest)
                ),
                Fraction(0),
            )
            for place, own in enumerate(losses)
        ]

    return chances


def _unbeaten(losses: Sequence[int], place: int, top: int, equal: Noise, below: Noise) -> Fraction:
    """The chance that no other is above ``top``, and a fair choice among those at it falls here."""
    by_ties = [Fraction(1)]
    for other, loss in enumerate(losses):
        if other != place:
            under, at = below(top + loss), equal(top + loss)
            by_ties = [
                one * under + less * at
                for one, less in zip([*by_ties, Fraction(0)], [Fraction(0), *by_ties], strict=True)
            ]
    return sum((chance / (ties + 1) for ties, chance in enumerate(by_ties)), Fraction(0))
