"""Frequency oracles whose report is a mask: one bit an option, set for each it supports."""

from abc import abstractmethod
from fractions import Fraction

from tossup.shared.mechanisms.choices.oracle import FrequencyOracle


class MaskOracle(FrequencyOracle):
    """A frequency oracle whose reports are masks of options, least significant bit first."""

    options: int

    @property
    @abstractmethod
    def pair_rates(self) -> tuple[Fraction, Fraction]:
        """Pr[a report supports both of two options], the answer being neither, and one of them.

        With `rates`, they give the covariance of two estimated shares.
        """

    @property
    def neither_of_two(self) -> Fraction:
        """The first of `pair_rates`."""
        return self.pair_rates[0]

    @property
    def with_another(self) -> Fraction:
        """The second of `pair_rates`."""
        return self.pair_rates[1]

    @property
    def reports(self) -> int:
        """Number of masks."""
        return 1 << self.answers

    def supports(self, report: int) -> tuple[int, ...]:
        """Return the options whose bits are set."""
        return tuple(option for option in range(self.answers) if report >> option & 1)
