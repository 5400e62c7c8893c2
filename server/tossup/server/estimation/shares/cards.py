"""The share of yes from numbers of red cards: Kuk's design with several cards."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, floor, sqrt
from typing import Final

import numpy as np

from tossup.server.estimation.checks import Counts, check_counts
from tossup.server.estimation.designs.design import Design
from tossup.server.estimation.designs.named import check_readout
from tossup.server.estimation.errors import EstimationError
from tossup.server.estimation.intervals.coins import MANY, never_nothing
from tossup.server.estimation.intervals.interval import Ends, Method, beyond, normal_quantile
from tossup.server.estimation.intervals.likelihood import Likelihood
from tossup.server.estimation.intervals.profile import last_likely
from tossup.server.estimation.shares.answer_share import ReadShare
from tossup.server.estimation.shares.likelihood import LikelihoodShare
from tossup.server.estimation.shares.readout import Readout
from tossup.server.estimation.telling.wording import channel_in_words
from tossup.shared.mechanisms import Kuk

#: More cards than this in all are not convolved for the exact interval.
MOST_CARDS: Final = 1 << 18
#: What a fast Fourier transform of so many terms may be off by, and is taken for less likely.
_ROUNDING: Final = 1e-12


@dataclass(frozen=True)
class CardsShare(ReadShare):
    """The share of yes, from how many reports have each number of red cards.

    With x the fraction of red cards among all, and q and p those in the decks for no and for
    yes, the estimate is (x - q) / (p - q): unbiased (Kuk 1990). It may lie outside [0, 1].

    Attributes
    ----------
    tally
        Reports with 0, 1, ..., m red cards.
    mechanism
        The design.

    Examples
    --------
    >>> print(CardsShare((40, 40, 19), Kuk(2, ((2, 1), (1, 2)))))
    share: 0.182 (-0.015 to 0.401, 95 % score interval, n = 99)
    """

    tally: tuple[int, ...]
    mechanism: Kuk

    def __post_init__(self) -> None:
        tally = check_counts(self.tally, self.mechanism.counters)
        object.__setattr__(self, "tally", tally)

    @property
    def title(self) -> str:
        """What was estimated."""
        return "Share of yes"

    @property
    def facts(self) -> dict[str, str]:
        """The design, and whether such reports can be."""
        design = channel_in_words(self.mechanism.name, self.mechanism.channel())
        return {"Design": design, **self._warned}

    @property
    def procedure(self) -> str:
        """How it was estimated, as sentences of a methods section."""
        no, yes = self.mechanism.red
        return (
            f"Each device drew {self.mechanism.cards} cards, with replacement, from a deck of which"
            f" {yes} were red if the answer was yes, and {no} if it was no, and sent how many were"
            " red (Kuk 1990). The share is the fraction of red cards with the decks taken out; its"
            " interval holds every share that a score test of the number of red cards does not"
            " refuse."
        )

    @property
    def observed(self) -> tuple[tuple[tuple[int, ...], Design], ...]:
        """Counts of all kinds of reports, with their design."""
        return ((self.tally, Design(self.mechanism.name, self.mechanism.channel())),)

    @cached_property
    def readout(self) -> Readout:
        """A report of k of m red cards counts for (k / m - q) / (p - q)."""
        scores = (self.mechanism.score(red, 1) for red in range(len(self.tally)))
        coins = min(self._variance(end) for end in (0.0, 1.0))
        even = tuple(self._likelihood.chances(0.5).tolist())
        return Readout.of(self.tally, scores, coins, even)

    @property
    def red_cards(self) -> int:
        """Number of red cards in all reports."""
        return sum(drawn * count for drawn, count in enumerate(self.tally))

    @property
    def exact(self) -> Fraction:
        """The raw estimate as an exact ratio."""
        return self.readout.exact

    @property
    def standard_error(self) -> float:
        """The estimated standard deviation of `value`, from the spread of the reports.

        With divisor n, and with few reports never below what the cards alone cause: see
        `coins.never_nothing`.
        """
        few, coins = self.n < MANY, self.readout.coins
        variance = self.readout.variance()
        if max(self.tally) < self.n:
            variance = never_nothing(variance * (self.n - 1) / self.n, coins, few=few)
        return sqrt(variance / self.n)

    @property
    def interval_methods(self) -> Mapping[Method, Ends]:
        """Intervals for the share; but for two they may leave [0, 1].

        ``"score"``: every share from which the number of red cards is within z standard deviations
        under that very share. ``"exact"``: every share from 0 to 1 of which neither tail of the
        exact distribution of the number of red cards refuses it, so never below its confidence if
        the share is one from 0 to 1; up to 2**18 cards in all. Where there are fewer red cards, or
        more, than any share leads one to expect, it is that of the nearest number that some share
        does: never empty, and no share is left out that the cards seen do not refuse.
        ``"profile"``: the profile likelihood of all counts, in [0, 1].
        """
        return {"score": self._score, "exact": self._inverted, "profile": self._likelihood.likely}

    def covariance_with(self, other: object) -> float | None:
        """Return the covariance with the share of an answer of the same reports."""
        if not isinstance(other, CardsShare) or self.tally is not other.tally:
            return None
        same = self.mechanism.decks == other.mechanism.decks
        return self.standard_error**2 if same else -(self.standard_error**2)

    @property
    def respondents_standard_error(self) -> float:
        """The estimated standard deviation of `value` over the coins alone.

        The respondents are fixed, and the share is theirs.
        """
        share = min(max(self.exact, Fraction(0)), Fraction(1))
        coins = self.mechanism.variance_at(share) - share * (1 - share)
        return sqrt(coins / self.n)

    @property
    def design_p_value(self) -> float:
        """How likely so few, or so many, red cards are if every device followed the design.

        Normal approximation of the one-sided probability at the nearer end; 1 in between.
        """
        nearest = min(max(self.value, 0.0), 1.0)
        return beyond(self.value, sqrt(self._variance(nearest) / self.n))

    @property
    def _slope(self) -> float:
        """By how much the mean number of red cards rises from a share of 0 to one of 1."""
        no, yes = self.mechanism.red
        return float(yes - no) * self.mechanism.cards

    def _variance(self, share: float) -> float:
        """Return n times the variance of the estimate at a share."""
        constant, linear = self._terms
        return constant + linear * share - share**2

    @cached_property
    def _terms(self) -> tuple[float, float]:
        """The variance at a share s is the first plus s times the second less s squared."""
        no, yes = (float(red) for red in self.mechanism.red)
        unit = self.mechanism.cards / self._slope**2
        at_no, at_yes = unit * no * (1 - no), unit * yes * (1 - yes)
        return at_no, at_yes - at_no + 1

    def _score(self, confidence: float) -> tuple[float, float]:
        """Return the shares s with (value - s)**2 <= z**2 variance / n, under s.

        Beyond 0 and 1 the variance is that at the end: no population has such a share.
        """
        z = normal_quantile(confidence)
        at_no, at_yes = (z * sqrt(self._variance(end) / self.n) for end in (0.0, 1.0))
        low, high = self._roots(z**2 / self.n)
        if self.value - at_no <= 0:
            low = self.value - at_no
        elif self.value - at_yes >= 1:
            low = self.value - at_yes
        if self.value + at_yes >= 1:
            high = self.value + at_yes
        elif self.value + at_no <= 0:
            high = self.value + at_no
        return low, high

    def _roots(self, part: float) -> tuple[float, float]:
        """Solve (value - s)**2 = part (constant + linear s - s**2)."""
        constant, linear = self._terms
        middle = (2 * self.value + part * linear) / (2 * (1 + part))
        product = (self.value**2 - part * constant) / (1 + part)
        half = sqrt(max(0.0, middle**2 - product))
        return middle - half, middle + half

    def _inverted(self, confidence: float) -> tuple[float, float]:
        """Return the shares from 0 to 1 that neither tail of the number of red cards refuses."""
        if self.n * self.mechanism.cards > MOST_CARDS:
            raise EstimationError("too many cards for the exact interval; use the score interval")
        tail = (1 - confidence) / 2
        rising = self._slope > 0
        red_cards = self._possible_red_cards

        def accepted(share: float) -> bool:
            fewer, more = self._tails(share, red_cards)
            # At the lower end many red cards are unlikely, if a yes makes them likelier.
            likely = (more, fewer) if rising else (fewer, more)
            return likely[0 if share < best else 1] + _ROUNDING > tail

        best = min(max(self.value, 0.0), 1.0)
        return last_likely(accepted, best, 0.0), last_likely(accepted, best, 1.0)

    @property
    def _possible_red_cards(self) -> int:
        """The number of red cards, or the nearest that is the mean at some share from 0 to 1."""
        cards = self.n * self.mechanism.cards
        fewest, most = sorted(red * cards for red in self.mechanism.red)
        return min(max(self.red_cards, floor(fewest)), ceil(most))

    def _tails(self, share: float, red_cards: int) -> tuple[float, float]:
        """Return the chances of at most, and of at least, so many red cards, at a share."""
        size = 1 << (self.n * self.mechanism.cards).bit_length()
        one = np.fft.rfft(self._likelihood.chances(share), size)
        sums = np.fft.irfft(one**self.n, size)
        return float(sums[: red_cards + 1].sum()), float(sums[red_cards:].sum())

    @cached_property
    def _likelihood(self) -> Likelihood:
        return Likelihood(((self.tally, self.mechanism.channel()),))

    @property
    def _best(self) -> float:
        """The likeliest share from 0 to 1, given all counts."""
        return self._likelihood.best


def card_shares(counts: Counts, mechanism: Kuk) -> tuple[LikelihoodShare, LikelihoodShare]:
    """Return the likeliest shares of no and of yes, as `estimate_counts` does.

    The fraction of red cards (`CardsShare`) tells less: of 25 cards a quarter of it is lost.
    """
    check_readout(mechanism, "cards", "one of red cards")
    no, yes = mechanism.channel()
    tally = (*check_counts(counts, mechanism.counters),)  # an object for these reports alone
    designs = (Design(mechanism.name, rows) for rows in ((yes, no), (no, yes)))
    first, second = (LikelihoodShare(((tally, design),)) for design in designs)
    return first, second
