"""Mechanisms for numbers: answers are the points of a declared grid, 0, ..., points - 1.

Stage: answer to report. Bounds, step and rounding belong to the question
(`tossup.shared.kinds.number`); here a point is only its index.
"""

from abc import abstractmethod
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any, ClassVar, Final, Self

from tossup.shared.coins import MAX_WEIGHT_SUM
from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms.base import AnswerKind, Stated, TableMechanism
from tossup.shared.odds import largest_odds

MAX_POINTS: Final = 1024
MAX_REPORTS: Final = 1 << 16


class GridMechanism(TableMechanism):
    """A mechanism whose answers are the points of a grid, in their order.

    Attributes
    ----------
    points
        How many points the grid has, from 2 to 1,024.
    tells_distribution
        Whether reports tell how the answers are distributed, and not their mean alone.
    tells_order
        Whether a raw share of the answers up to a point, and so a quantile, can be told from
        as many reports as a survey has.
    is_one_bit
        Whether a report is "low" or "high" by a chance that is linear in the answer.
    """

    answer_kind: ClassVar[AnswerKind] = "number"
    tells_distribution: ClassVar[bool] = True
    tells_order: ClassVar[bool] = True
    is_one_bit: ClassVar[bool] = False
    points: int

    @property
    def answers(self) -> int:
        """Number of grid points."""
        return self.points

    @property
    def values(self) -> tuple[Fraction, ...] | None:
        """What each report counts for in a mean, in steps of the grid.

        Given an answer i, the expected value is exactly i: the mean of the values is unbiased.
        None where no closed form exists; the server then solves for such values.
        """
        return None

    def stated(self) -> Stated:
        """Return that any report may be sent: none names an answer."""
        return Stated("report")

    @classmethod
    def from_odds(cls, odds: Fraction, answers: int) -> Self:
        """Return `for_odds` of a grid of so many points."""
        return cls.for_odds(answers, odds)

    @classmethod
    @abstractmethod
    def for_odds(cls, points: int, odds: Fraction) -> Self:
        """Return the best design of this kind whose odds never exceed these.

        Raises
        ------
        MechanismError
            If the odds are not above 1, or the weights would sum to more than 2**32.
        """

    @classmethod
    def odds_within(cls, epsilon: Decimal, answers: int, part: Mapping[str, Any]) -> Fraction:  # noqa: ARG003
        """Return the largest odds up to e**epsilon that `ratio_limit` has room for."""
        return largest_odds(epsilon, limit=cls.ratio_limit(answers))

    @classmethod
    def ratio_limit(cls, points: int) -> int:
        """Return how large keep + lie may be, so that weights of odds keep / lie fit in 2**32."""
        return MAX_WEIGHT_SUM // points


def check_points(points: object, name: str) -> None:
    """Refuse what is not a number of grid points."""
    if type(points) is not int or not 2 <= points <= MAX_POINTS:
        raise MechanismError(f"{name} takes a grid of 2 to {MAX_POINTS} points")
