"""The truncated geometric mechanism: integers in a range."""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Self

from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms.noise.decay import Decay, decaying
from tossup.shared.mechanisms.numbers.base import check_points


@dataclass(frozen=True)
class TruncatedGeometric(Decay):
    """Add two-sided geometric noise to the answer and clip the sum to the range.

    Odds hold over the whole range: noise decays by odds**(-1 / (points - 1)) a step. Reports
    are points of the grid. Nothing is lost by clipping: how far a clipped sum lay outside is
    geometric whatever the answer, so the range tells as much as the unclipped sum.

    Discretization: noise is in whole steps by nature. Weights are integers that sum to at most
    2**32, rounded so that the odds never exceed the asked ones; the decay is off by less than
    1e-6 of itself at 1,024 points and odds 3. The server takes that into account: it uses the
    integers, not the formula.

    Parameters
    ----------
    points
        Grid points, from 2 to 1,024.
    tails
        ``tails[k]``: the weight of noise of at least k in one direction, k < points.

    References
    ----------
    Ghosh, Roughgarden and Sundararajan 2012, SIAM J. Comput. 41:1673-1693, section 2.

    Examples
    --------
    >>> TruncatedGeometric(3, (6, 3, 2)).channel()[1]
    (Fraction(1, 3), Fraction(1, 3), Fraction(1, 3))
    """

    name: ClassVar[str] = "truncated-geometric/1"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.margin:
            raise MechanismError(f"{self.name} takes a tail for every point of the grid")

    @classmethod
    def examples(cls) -> tuple[Self, ...]:
        """Return the designs of its vectors."""
        return (
            cls(3, (6, 3, 2)),
            *(cls.for_odds(n, Fraction(odds)) for n, odds in ((2, 3), (11, 3), (101, 9))),
        )

    @classmethod
    def for_odds(cls, points: int, odds: Fraction) -> Self:
        """Return the design with the largest odds up to these that its integers allow."""
        check_points(points, cls.name)
        return cls(points, decaying(points, odds, margin=0))
