"""Frequency oracles whose report is a number: each option is supported by a block of numbers."""

from abc import abstractmethod
from fractions import Fraction
from typing import ClassVar

from tossup.shared.coins import Coins
from tossup.shared.mechanisms.base import Counting
from tossup.shared.mechanisms.checks import check_keep_and_lie, check_options, check_total
from tossup.shared.mechanisms.choices.oracle import FrequencyOracle


class BlockOracle(FrequencyOracle):
    """Send a report with weight ``keep`` if it is in the block of the true option, else ``lie``.

    Blocks have equal sizes, and every two of them equally many reports in common; that is all
    that rates and odds depend on. Odds are keep / lie exactly. The draw chooses a place within
    the block, or within the other reports, so that nothing but arithmetic looks at the truth.
    """

    counting: ClassVar[Counting] = "blocks"
    options: int
    keep: int
    lie: int

    @property
    def answers(self) -> int:
        """Number of options."""
        return self.options

    @property
    @abstractmethod
    def block_size(self) -> int:
        """Number of reports in a block."""

    @property
    @abstractmethod
    def meeting_size(self) -> int:
        """Number of reports that two blocks have in common."""

    @abstractmethod
    def in_block(self, option: int, report: int) -> bool:
        """Return whether a report is in an option's block."""

    @abstractmethod
    def member(self, option: int, place: int) -> int:
        """Return the report at one of ``block_size`` places in an option's block."""

    @abstractmethod
    def other(self, option: int, place: int) -> int:
        """Return the report at one of ``reports - block_size`` places outside of it."""

    def _check(self) -> None:
        """Refuse parameters that cannot be sampled, protect nobody, or tell nothing."""
        check_options(self.options)
        check_keep_and_lie(self.keep, self.lie)
        check_total(self._total)

    @property
    def _total(self) -> int:
        return self.keep * self.block_size + self.lie * (self.reports - self.block_size)

    def _sample(self, answer: int, coins: Coins) -> int:
        draw = coins.below(self._total)
        kept = self.keep * self.block_size
        # Both reports are made and one is taken: the time it takes tells neither which nor why.
        inside = self.member(answer, min(draw, kept - 1) // self.keep)
        outside = self.other(answer, max(draw - kept, 0) // self.lie)
        return (outside, inside)[draw < kept]

    @property
    def odds(self) -> Fraction:
        """Keep over lie: each report is in some option's block and outside another's."""
        return Fraction(self.keep, self.lie)

    @property
    def rates(self) -> tuple[Fraction, Fraction]:
        """q and p: the weight of another option's block, and of the true one's, over the total."""
        met = self.keep * self.meeting_size + self.lie * (self.block_size - self.meeting_size)
        return Fraction(met, self._total), Fraction(self.keep * self.block_size, self._total)

    @property
    def with_another(self) -> Fraction:
        """The weight of what two blocks have in common, over the total."""
        return self.rates[1] * Fraction(self.meeting_size, self.block_size)

    def supports(self, report: int) -> tuple[int, ...]:
        """Return the options in whose blocks the report is."""
        return tuple(option for option in range(self.options) if self.in_block(option, report))

    def probability(self, answer: int, report: int) -> Fraction:
        """Return ``keep`` or ``lie`` over the total."""
        if not self.is_report(report):
            return Fraction(0)
        return Fraction(self.keep if self.in_block(answer, report) else self.lie, self._total)
