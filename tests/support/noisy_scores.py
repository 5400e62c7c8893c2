"""Which of several noisy scores is the largest, by sums of geometric series."""

from collections.abc import Callable, Sequence
from fractions import Fraction

Noise = Callable[[int], Fraction]


def noisy_max(losses: Sequence[int], equal: Noise, below: Noise, largest: int) -> list[Fraction]:
    """Return the chances that each option has the largest noisy score, ties broken fairly.

    Summed over all values that the largest sum may have up to some noise: too low by no more
    than the chance of larger noise.
    """
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
