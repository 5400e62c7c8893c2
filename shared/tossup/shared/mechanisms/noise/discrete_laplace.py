"""The discrete Laplace mechanism on a grid: additive noise, clipped at one range beyond it."""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Self

from tossup.shared.mechanisms.noise.truncated_geometric import Decay, decaying
from tossup.shared.mechanisms.numbers.base import check_points


@dataclass(frozen=True)
class DiscreteLaplace(Decay):
    """Add discrete Laplace noise to the answer and clip the sum beyond the declared range.

    Reports lie around the answer, up to a margin outside the declared range, by default one range
    on either side. Clipping there loses nothing, as for `TruncatedGeometric`, which says as much in
    fewer reports.

    Parameters
    ----------
    points
        Grid points, from 2 to 1,024.
    tails
        ``tails[k]``: the weight of noise of at least k in one direction, k < points + margin.

    References
    ----------
    Dwork, McSherry, Nissim and Smith 2006; Inusah and Kozubowski 2006.

    Examples
    --------
    >>> DiscreteLaplace.for_odds(11, Fraction(3)).reports
    31
    """

    name: ClassVar[str] = "discrete-laplace/1"

    @classmethod
    def examples(cls) -> tuple[Self, ...]:
        """Return the designs of its vectors."""
        return (
            cls(2, (9, 5, 2)),
            *(cls.for_odds(n, Fraction(odds)) for n, odds in ((2, 3), (11, 3), (101, 9))),
        )

    @classmethod
    def for_odds(cls, points: int, odds: Fraction) -> Self:
        """Return the design with a margin of one range and the largest odds up to these."""
        check_points(points, cls.name)
        return cls(points, decaying(points, odds, margin=points - 1))
