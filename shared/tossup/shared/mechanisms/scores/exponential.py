"""The exponential mechanism: the logarithm of an option's chance is linear in its score."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from tossup.shared.mechanisms.scores.base import TOWNS, ScoredChoice, in_a_row


@dataclass(frozen=True)
class Exponential(ScoredChoice):
    """Send an option with weight (keep / lie)**score.

    With scores of 1 for the truth and 0 for others it is k-ary randomized response. Weights are
    those of `integer_table`.

    References
    ----------
    McSherry and Talwar 2007, section 3; Dwork and Roth 2014, section 3.4.

    Examples
    --------
    >>> Exponential(((1, 0, 0), (0, 1, 0), (0, 0, 1)), keep=3).weights[0]
    (3, 1, 1)
    """

    name: ClassVar[str] = "exponential/1"

    @classmethod
    def examples(cls) -> tuple[Self, ...]:
        """Return the designs of its vectors."""
        return (
            cls(in_a_row(3), 2, 1),
            cls(in_a_row(5), 353289207, 268435456),
            cls(TOWNS, 9, 8),
            cls(in_a_row(32), 31, 30),
        )

    @staticmethod
    def masses(losses: Sequence[int], keep: int, lie: int) -> tuple[int, ...]:
        """Return keep**(most - loss) lie**loss, in proportion to (keep / lie)**-loss."""
        most = max(losses)
        weight = {loss: keep ** (most - loss) * lie**loss for loss in set(losses)}
        return tuple(weight[loss] for loss in losses)
