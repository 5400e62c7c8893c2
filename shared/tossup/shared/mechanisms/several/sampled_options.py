"""Sampled options: a report asks one option or a few, and spends all the odds on them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import ClassVar, Final, Self

from tossup.shared.coins import Coins, bytes_for_run
from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms.base import Counting
from tossup.shared.mechanisms.checks import check_keep_and_lie, check_total
from tossup.shared.mechanisms.several.base import SeveralMechanism, check_several
from tossup.shared.odds import largest_root

_MAX_REPORTS: Final = 1 << 32


@dataclass(frozen=True, slots=True)
class SampledOptions(SeveralMechanism):
    """Ask one option or a few, drawn by chance, and turn each of their bits with weight ``lie``.

    The device draws the first option, each with the same probability, and asks ``asked`` from it
    on, from the last on to the first. The report is that place and one bit for each option asked,
    which is kept with weight ``keep`` and turned with weight ``lie``. Two answers differ in at most
    d = min(asked, 2 most) of the bits, so that the odds are (keep / lie)**d, exactly. More than one
    option asked has less variance from odds of about 21 on.

    Parameters
    ----------
    options
        Number of options k, from 1 to 64.
    most
        Number of options that one may tick at most, from 1 to k.
    asked
        Number of options asked, from 1 to k, with k 2**asked at most 2**32.
    keep, lie
        Positive integers, keep > lie, keep + lie at most 2**32.

    Raises
    ------
    MechanismError
        If these bounds do not hold.

    References
    ----------
    Nguyen et al. 2016 (one attribute each); Arcolezi, Couchot, Al Bouna and Xiao 2021
    (SMP).

    Examples
    --------
    >>> SampledOptions(5, most=5, asked=1, keep=3, lie=1).odds
    Fraction(3, 1)
    >>> SampledOptions(5, most=1, asked=3, keep=3, lie=1).odds
    Fraction(9, 1)
    """

    name: ClassVar[str] = "sampled-options/1"
    counting: ClassVar[Counting] = "sampled options"
    example_fields = (
        (1, 1, 1, 3, 1),
        (3, 3, 1, 3, 1),
        (8, 8, 1, 3, 1),
        (8, 2, 2, 9, 1),
        (10, 4, 3, 5, 2),
        (32, 32, 1, 2721, 1001),
    )
    options: int
    most: int
    asked: int = 1
    keep: int = 3
    lie: int = 1

    def __post_init__(self) -> None:
        check_several(self.options, self.most, self.name)
        check_keep_and_lie(self.keep, self.lie)
        if type(self.asked) is not int or not 1 <= self.asked <= self.options:
            raise MechanismError(f"asked of {self.name} must be an integer from 1 to the options")
        if self.reports > _MAX_REPORTS:
            raise MechanismError(f"{self.name} asks so many options that reports exceed 4 bytes")
        check_total(self._total)

    @classmethod
    def from_odds(cls, odds: Fraction, options: int, most: int | None = None) -> Self:
        """Return the design of least variance whose odds do not exceed these.

        >>> SampledOptions.from_odds(Fraction(3), 8)
        SampledOptions(options=8, most=8, asked=1, keep=3, lie=1)
        >>> SampledOptions.from_odds(Fraction(81), 8)
        SampledOptions(options=8, most=8, asked=2, keep=9, lie=1)
        """
        most = options if most is None else most
        check_several(options, most, cls.name)
        best = cls.asking(1, odds, options, most)
        for asked in range(2, options + 1):
            try:
                design = cls.asking(asked, odds, options, most)
            except MechanismError:  # no weights, or reports too long
                break
            best = min(best, design, key=lambda each: each.worst_variance)
        return best

    @classmethod
    def asking(cls, asked: int, odds: Fraction, options: int, most: int | None = None) -> Self:
        """Return the design that asks so many options, with the largest odds up to these.

        >>> SampledOptions.asking(1, Fraction(5, 2), 4)
        SampledOptions(options=4, most=4, asked=1, keep=5, lie=2)
        """
        most = options if most is None else most
        differing = min(asked, 2 * most)
        root = odds if differing == 1 else largest_root(odds, degree=differing)
        return cls(options, most, asked, *root.as_integer_ratio())

    @property
    def _total(self) -> int:
        return self.keep + self.lie

    @property
    def reports(self) -> int:
        """Number of places to begin, times that of masks of the options asked."""
        return self.options << self.asked

    @property
    def counters(self) -> int:
        """Two counters an option: reports that ask it and say not ticked, then all the ticked."""
        return 2 * self.options

    @property
    def odds(self) -> Fraction:
        """The odds of one bit, to the power of how many can differ."""
        return Fraction(self.keep, self.lie) ** min(self.asked, 2 * self.most)

    @property
    def rates(self) -> tuple[Fraction, Fraction]:
        """q and p: the weights of lie and keep over their sum."""
        return Fraction(self.lie, self._total), Fraction(self.keep, self._total)

    @property
    def asked_share(self) -> Fraction:
        """Options asked over all options."""
        return Fraction(self.asked, self.options)

    @property
    def windows(self) -> int:
        """One from every option on: neighbours are asked together."""
        return self.options

    def told(self, report: int) -> Iterator[tuple[int, bool]]:
        """Yield each option asked, from the first one on, with its bit."""
        first = report >> self.asked
        for place in range(self.asked):
            yield (first + place) % self.options, bool(report >> place & 1)

    def by_option(self, counts: Sequence[int]) -> tuple[tuple[int, int], ...]:
        """Return each option's two counters."""
        return tuple(zip(counts[: self.options], counts[self.options :], strict=True))

    def reports_counted(self, counts: Sequence[int]) -> int:
        """Return the sum of the counts over how many options a report asks."""
        return sum(counts) // self.asked

    def probability(self, answer: int, report: int) -> Fraction:
        """Return that of the first option, times the product over the bits."""
        if not (self.is_answer(answer) and self.is_report(report)):
            return Fraction(0)
        q, p = self.rates
        first, bits = report >> self.asked, report & self._bits
        turned = (self._from(first, answer) ^ bits).bit_count()
        return Fraction(1, self.options) * p ** (self.asked - turned) * q**turned

    def _sample(self, answer: int, coins: Coins) -> int:
        coins.reserve(_bytes(self.options, self.asked, self._total))
        first = coins.below(self.options)
        draws = [coins.below(self._total) for _ in range(self.asked)]
        turned = sum((draw < self.lie) << place for place, draw in enumerate(draws))
        return first << self.asked | self._from(first, answer) ^ turned

    @property
    def _bits(self) -> int:
        return (1 << self.asked) - 1

    def _from(self, first: int, answer: int) -> int:
        """Return the bits of the options asked, the first of them lowest."""
        return (answer >> first | answer << self.options - first) & self._bits


@cache
def _bytes(options: int, asked: int, total: int) -> int:
    return bytes_for_run([options] + [total] * asked)
