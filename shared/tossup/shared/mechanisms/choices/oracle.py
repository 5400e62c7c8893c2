"""What every frequency oracle is: a mechanism for choices whose reports support options."""

from abc import abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

from tossup.shared.mechanisms.base import (
    Channel,
    Mechanism,
    binomial_variance,
    named_by,
    score_by,
)

if TYPE_CHECKING:
    from tossup.shared.mechanisms.stated import Stated


class FrequencyOracle(Mechanism):
    """A mechanism for choices whose reports each *support* some of the options.

    A report supports the true option with probability p, and any other with probability q: a
    pure protocol. The share of an option is (s - q) / (p - q), unbiased, with s the fraction of
    reports that support it. Its tally counts the supporters of each option, then all reports.

    References
    ----------
    Wang, Blocki, Li and Jha 2017, USENIX Security, section 3.
    """

    names_each: ClassVar[bool] = True
    in_auto: ClassVar[bool] = True

    @property
    @abstractmethod
    def rates(self) -> tuple[Fraction, Fraction]:
        """q and p: Pr[a report supports an option] without and with it being the answer."""

    @property
    @abstractmethod
    def with_another(self) -> Fraction:
        """Pr[a report supports the answer and one given other option]."""

    @abstractmethod
    def supports(self, report: int) -> tuple[int, ...]:
        """Return the options that a report supports, in order."""

    @property
    def neither_of_two(self) -> Fraction | None:
        """Pr[a report supports both of two options, the answer being neither], where it is one.

        None where it depends on which two.
        """
        return None

    def stated(self) -> "Stated":
        """Return the chances of one option: named or not, if it is the answer or not."""
        from tossup.shared.mechanisms.stated import Stated

        return Stated("option", self.naming_chances(), names_several=True)

    def naming_chances(self) -> Channel:
        """Return the channel of one option: supported or not, if it is the answer or not.

        >>> from tossup.shared.mechanisms import SubsetSelection
        >>> SubsetSelection(16, size=4).naming_chances()[1]
        (Fraction(1, 2), Fraction(1, 2))
        """
        return named_by(*self.rates)

    @property
    def counters(self) -> int:
        """One counter an option, and one of all reports."""
        return self.answers + 1

    def reports_counted(self, counts: Sequence[int]) -> int:
        """Return the last counter."""
        return counts[-1]

    def score(self, report: int, answer: int) -> Fraction:
        """Return (1 - q) / (p - q) if the report supports the option, -q / (p - q) if not."""
        return score_by(answer in self.supports(report), *self.rates)

    def variance_at(self, share: Fraction) -> Fraction:
        """Return y (1 - y) / (p - q)**2, with y how likely a report supports the option."""
        return binomial_variance(share, *self.rates)

    @property
    def variance(self) -> Fraction:
        """n times the variance of the estimated share of an option that nobody has."""
        return self.variance_at(Fraction(0))
