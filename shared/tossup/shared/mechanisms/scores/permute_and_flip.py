"""Permute-and-flip, which is report noisy max with exponential or geometric noise."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from tossup.shared.mechanisms.drawn import least_multiple
from tossup.shared.mechanisms.scores.base import ScoredChoice

_BITS: Final = 64  # the chance of heads is a multiple of 2**-64


@dataclass(frozen=True)
class PermuteAndFlip(ScoredChoice):
    """Go through the options in random order, and send the first whose coin falls heads.

    An option's coin falls heads with (lie / keep)**loss, by how much its score is below the
    highest, rounded down to multiples of 2**-64. Report noisy max with exponential or geometric
    noise has the same chances. Weights are those of `integer_table`.

    References
    ----------
    McKenna and Sheldon 2020, algorithm 1; Ding et al. 2021.

    Examples
    --------
    >>> PermuteAndFlip(((0, -1), (-1, 0)), keep=2).weights
    ((3, 1), (1, 3))
    """

    name: ClassVar[str] = "permute-and-flip/1"
    #: Two names mean one, which is proven: report noisy max with exponential noise.
    in_files: ClassVar[tuple[str, ...]] = ("permute-and-flip", "noisy-max-exponential")

    @staticmethod
    def masses(losses: Sequence[int], keep: int, lie: int) -> tuple[int, ...]:
        """Return in proportion the integral of heads times the product of 1 - t heads of others.

        With arrival times t that are uniform, the order of arrival is a random one; an option is
        sent if its coin falls heads and no other that has arrived by then fell heads.
        """
        heads = {loss: (lie**loss << _BITS) // keep**loss for loss in set(losses)}
        sums = _elementary([heads[loss] for loss in losses])
        mass = {loss: chance * _integral(sums, chance) for loss, chance in heads.items()}
        return tuple(mass[loss] for loss in losses)


def _elementary(chances: Sequence[int]) -> list[int]:
    """Return the elementary symmetric polynomials: sums of products of 0, 1, 2, ... of them."""
    sums = [1]
    for chance in chances:
        sums = [one + chance * below for one, below in zip([*sums, 0], [0, *sums], strict=True)]
    return sums


def _integral(sums: Sequence[int], without: int) -> int:
    """Return the integral over t of the product of 1 - t c over all chances c but one.

    In units that are the same for every such chance.
    """
    others = len(sums) - 2
    unit, total, product = least_multiple(range(1, others + 2)), 0, 0
    for size in range(others + 1):
        product = sums[size] - without * product  # products of `size` of the others
        term = (product << _BITS * (others - size)) * (unit // (size + 1))
        total += -term if size % 2 else term
    return total
