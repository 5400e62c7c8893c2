"""Permanent and instantaneous: a report for life, and a fresh doubt of it in every wave."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any, ClassVar, Final, Self

from tossup.shared.coins import Coins, bytes_for_run
from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms.base import Channel, Table, TableMechanism
from tossup.shared.mechanisms.checks import check_above_one, check_keep_and_lie, check_total
from tossup.shared.mechanisms.choices.k_ary import KaryRandomizedResponse

#: Odds of the coins of each report, where a survey file asks for none.
_AGAIN: Final = Fraction(3)


@dataclass(frozen=True, slots=True)
class PermanentInstantaneous(TableMechanism):
    """Keep a randomized answer for life, and send it through fresh coins in every wave.

    Both stages are k-ary randomized response: the answer becomes the kept value with weights
    ``keep`` and ``lie``, and the kept value becomes each report with ``again_keep`` and
    ``again_lie``. However many reports are sent, they tell no more than the kept value, whose
    odds are keep / lie; fewer tell less, as `odds_of` says exactly. Without waves the kept value
    is forgotten, and one report is all.

    Parameters
    ----------
    options
        Number of options k, from 2 to 256; 2 for yes/no.
    keep, lie, again_keep, again_lie
        Positive integers, keep > lie in both stages. The products of the sums of both stages,
        each keep + (k - 1) lie, is at most 2**32.

    Raises
    ------
    MechanismError
        If these bounds do not hold.

    References
    ----------
    Erlingsson, Pihur and Korolova 2014, section 2 (for bits); Kairouz, Oh and Viswanath
    2016.

    Examples
    --------
    >>> design = PermanentInstantaneous(2, keep=3, lie=1, again_keep=3, again_lie=1)
    >>> design.odds, design.odds_of(12), design.memory.odds
    (Fraction(5, 3), Fraction(398581, 132861), Fraction(3, 1))
    """

    name: ClassVar[str] = "permanent-instantaneous/1"
    questions: ClassVar[tuple[str, ...]] = ("yes_no", "choice")
    keys: ClassVar = {"again": "ratio"}
    example_fields = ((2, 3, 1, 3, 1), (2, 7, 3, 5, 2), (16, 9, 1, 9, 1), (256, 3, 1, 300, 1))
    options: int
    keep: int = 3
    lie: int = 1
    again_keep: int = 3
    again_lie: int = 1

    def __post_init__(self) -> None:
        KaryRandomizedResponse(self.options, self.keep, self.lie)  # which checks them
        check_keep_and_lie(self.again_keep, self.again_lie)
        check_total(self._total)

    @classmethod
    def from_file(cls, part: Mapping[str, Any], odds: Fraction, answers: int) -> Self:
        """Return the design that keeps with these odds, for life, and reports with ``again``.

        >>> PermanentInstantaneous.from_file({}, Fraction(9), 2).odds
        Fraction(7, 3)
        """
        again = again_of(part, odds)
        return cls(answers, *odds.as_integer_ratio(), *again.as_integer_ratio())

    @classmethod
    def from_odds(cls, odds: Fraction, options: int) -> Self:
        """Return a design whose reports have these odds each, and their square for life.

        Raises
        ------
        MechanismError
            If the odds are not above 1, or need weights above 2**32.
        """
        check_above_one(odds)
        kept = odds * odds
        again = Fraction(odds * (kept + options - 2) - (options - 1), kept - odds)
        return cls(options, *kept.as_integer_ratio(), *again.as_integer_ratio())

    @property
    def _kept_total(self) -> int:
        return self.keep + (self.options - 1) * self.lie

    @property
    def _again_total(self) -> int:
        return self.again_keep + (self.options - 1) * self.again_lie

    @property
    def _total(self) -> int:
        return self._kept_total * self._again_total

    @property
    def _told(self) -> tuple[int, int]:
        """Weights of reporting the answer, and of reporting any other option, over both stages."""
        others = self.lie * self.again_lie
        hit = self.keep * self.again_keep + (self.options - 1) * others
        mixed = self.keep * self.again_lie + self.lie * self.again_keep
        return hit, mixed + (self.options - 2) * others

    @property
    def answers(self) -> int:
        """Number of options."""
        return self.options

    @property
    def reports(self) -> int:
        """Number of options: a report is an option, and so is what is kept."""
        return self.options

    @property
    def memory(self) -> KaryRandomizedResponse:
        """The first stage: what a device keeps of an answer."""
        return KaryRandomizedResponse(self.options, self.keep, self.lie)

    @property
    def weights(self) -> Table:
        """Both stages at once: the sum over all that may be kept."""
        hit, miss = self._told
        return _weights(self.options, hit, miss)

    @property
    def odds(self) -> Fraction:
        """The odds of one report."""
        return Fraction(*self._told)

    def odds_of(self, reports: int) -> Fraction:
        """Return the odds of this many reports of one kept value, at most those of the memory.

        Reports that are all alike tell most.
        """
        kept, other = self.again_keep**reports, self.again_lie**reports
        likely = self.keep * kept + (self.options - 1) * self.lie * other
        unlikely = self.lie * kept + (self.keep + (self.options - 2) * self.lie) * other
        return Fraction(likely, unlikely)

    def probability(self, answer: int, report: int) -> Fraction:
        """Return the weight of a hit or a miss over both stages; 0 for what is no report."""
        weight = self._told[report != answer]
        return Fraction(weight if self.is_report(report) else 0, self._total)

    def channel(self) -> Channel:
        """Return the exact channel of one report."""
        total = self._total
        return tuple(tuple(Fraction(weight, total) for weight in row) for row in self.weights)

    def again(self, kept: int, coins: Coins) -> int:
        """Return a report of what is kept: the second stage."""
        draw = coins.below(self._again_total)
        return self._moved(kept, draw, self.again_keep, self.again_lie)

    def _sample(self, answer: int, coins: Coins) -> int:
        coins.reserve(_bytes(self._kept_total, self._again_total))
        draw = coins.below(self._kept_total)
        return self.again(self._moved(answer, draw, self.keep, self.lie), coins)

    def _moved(self, option: int, draw: int, keep: int, lie: int) -> int:
        # The draw picks how far to go from the option, so it never looks at it.
        distance = max(0, (draw - keep) // lie + 1)
        return (option + distance) % self.options


def again_of(part: Mapping[str, Any], odds: Fraction) -> Fraction:
    """Return the odds of the coins of each report, which a question may give as ``again``.

    Raises
    ------
    MechanismError
        If these or the odds for life are not above 1, or there are weights.
    """
    if "weights" in part:
        name = part["mechanism"]
        raise MechanismError(f"mechanism {name} takes odds or epsilon, and again; no weights")
    again: Fraction = part.get("again", _AGAIN)
    for what, given in (("odds", odds), ("again", again)):
        if given <= 1:
            raise MechanismError(f"{what} ({given}) must be above 1: at 1 all answers look alike")
    return again


@cache
def _weights(options: int, hit: int, miss: int) -> Table:
    rows = range(options)
    return tuple(tuple(hit if row == column else miss for column in rows) for row in rows)


@cache
def _bytes(kept: int, again: int) -> int:
    return bytes_for_run([kept, again])
