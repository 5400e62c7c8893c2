"""Randomized response for multiple choice: one of k options."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar, Self, TypeVar

from tossup.shared.coins import Coins
from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms.base import Channel, RatioMechanism, Table, TableMechanism
from tossup.shared.mechanisms.checks import check_keep_and_lie, check_options, check_total
from tossup.shared.odds import largest_odds

MAX_OPTIONS = 256


@dataclass(frozen=True, slots=True)
class KaryRandomizedResponse(RatioMechanism, TableMechanism):
    """Send the true option with weight ``keep``, each other option with weight ``lie``.

    Odds are keep / lie exactly. The share of option j is (f_j - q) / (p - q), unbiased, with
    f_j the fraction of reports j, p = keep / total and q = lie / total.

    Parameters
    ----------
    options
        Number of options k, from 2 to 256.
    keep, lie
        Positive integers, keep > lie, with keep + (k - 1) lie at most 2**32.

    Raises
    ------
    MechanismError
        If these bounds do not hold.

    References
    ----------
    Kairouz, Oh and Viswanath 2016, section 4; Wang et al. 2017, section 4.1.

    Examples
    --------
    >>> KaryRandomizedResponse(5).channel()[0][:2]
    (Fraction(3, 7), Fraction(1, 7))
    """

    name: ClassVar[str] = "k-ary-randomized-response/1"
    in_files: ClassVar[tuple[str, ...]] = ("k-ary",)
    in_auto: ClassVar[bool] = True
    example_fields = (
        *((2, 3, 1), (3, 3, 1), (5, 3, 1), (5, 5, 2)),
        *((16, 3, 1), (100, 9, 1), (256, 3, 1), (256, (1 << 32) - 255, 1)),
    )
    options: int
    keep: int = 3
    lie: int = 1

    def __post_init__(self) -> None:
        check_options(self.options, MAX_OPTIONS)
        check_keep_and_lie(self.keep, self.lie)
        check_total(self._total)

    @classmethod
    def from_odds(cls, odds: Fraction, answers: int) -> Self:
        """Return the design with exactly these odds."""
        return cls(answers, *odds.as_integer_ratio())

    @classmethod
    def from_file(cls, part: Mapping[str, Any], odds: Fraction, answers: int) -> Self:
        """Return the design with these odds, or with keep and lie in ``weights``."""
        match part.get("weights"):
            case None:
                return cls.from_odds(odds, answers)
            case [int(keep), int(lie)]:
                return cls(answers, keep, lie)
        raise MechanismError("weights must be [keep, lie], all integers")

    @classmethod
    def odds_within(cls, epsilon: Decimal, answers: int, part: Mapping[str, Any]) -> Fraction:  # noqa: ARG003
        """Return the largest odds up to e**epsilon whose table sums to at most 2**32."""
        return largest_odds(epsilon, answers)

    @property
    def _total(self) -> int:
        return self.keep + (self.options - 1) * self.lie

    @property
    def answers(self) -> int:
        """Number of options."""
        return self.options

    @property
    def reports(self) -> int:
        """Number of options: a report is an option."""
        return self.options

    @property
    def weights(self) -> Table:
        """The table with ``keep`` on the diagonal and ``lie`` elsewhere."""
        return _table(self.options, self.keep, self.lie)

    def probability(self, answer: int, report: int) -> Fraction:
        """Return keep or lie over the sum of a row; 0 for what is no report."""
        weight = self.keep if report == answer else self.lie
        return Fraction(weight if self.is_report(report) else 0, self._total)

    def channel(self) -> Channel:
        """Return the exact channel: the two probabilities, k times k times."""
        return _channel(self.options, self.probability(0, 0), self.probability(1, 0))

    @property
    def rates(self) -> tuple[Fraction, Fraction]:
        """q and p: Pr[a report is an option] without and with it being the answer."""
        return self.probability(1, 0), self.probability(0, 0)

    def _sample(self, answer: int, coins: Coins) -> int:
        # The draw picks how far the report lies from the truth, so it never looks at the truth.
        draw = coins.below(self._total)
        distance = max(0, (draw - self.keep) // self.lie + 1)
        return (answer + distance) % self.options


Number = TypeVar("Number", int, Fraction)


@lru_cache(maxsize=16)
def _table(size: int, keep: int, lie: int) -> Table:
    return _diagonal(size, keep, lie)


@lru_cache(maxsize=16)
def _channel(size: int, truth: Fraction, lie: Fraction) -> Channel:
    return _diagonal(size, truth, lie)


def _diagonal(size: int, on: Number, off: Number) -> tuple[tuple[Number, ...], ...]:
    """Return a square with one number on its diagonal and another off it."""
    return tuple((off,) * row + (on,) + (off,) * (size - row - 1) for row in range(size))
