"""The share of each option where people tick several: each by itself."""

from dataclasses import dataclass
from fractions import Fraction

from tossup.server.estimation.checks import Counts, check_counts
from tossup.server.estimation.designs.named import channel_of, check_readout, name_of
from tossup.server.estimation.errors import EstimationError
from tossup.server.estimation.intervals.binomial import tail_from, tail_to
from tossup.server.estimation.intervals.interval import Interval, Method
from tossup.server.estimation.shares.share import ShareEstimate
from tossup.server.estimation.telling.line import Line
from tossup.server.estimation.telling.result import Result
from tossup.server.estimation.telling.wording import INTERVALS, channel_in_words, plain_name
from tossup.shared.mechanisms import SeveralMechanism
from tossup.shared.mechanisms.base import Channel


@dataclass(frozen=True, slots=True)
class SeveralEstimate(Result):
    """The shares of those who tick each option. They need not sum to 1.

    Attributes
    ----------
    options
        One `ShareEstimate` an option, from the reports that ask it: where a report asks some of
        the options, each has its own n. None for an option that no report asks.
    n
        Number of reports.
    asked_share
        Probability that a report asks an option.

    Examples
    --------
    >>> from tossup.shared.mechanisms import SampledOptions
    >>> languages = estimate_several((50, 60, 50, 40), SampledOptions(2, most=2))
    >>> print(languages)
    option 0: 0.5000 (0.3077 to 0.6923, 95 % score interval, n = 100)
    option 1: 0.3000 (0.1188 to 0.4960, 95 % score interval, n = 100)
    """

    options: tuple[ShareEstimate | None, ...]
    n: int
    asked_share: Fraction = Fraction(1)

    @property
    def values(self) -> tuple[float | None, ...]:
        """The raw estimates, negative ones included."""
        return tuple(option.value if option else None for option in self.options)

    @property
    def title(self) -> str:
        """What was estimated."""
        return f"Shares who tick each of {len(self.options)} options"

    @property
    def facts(self) -> dict[str, str]:
        """The design of one option, and how often it is asked."""
        option = self._some
        design = channel_in_words(f"{option.design}, of one option that is asked", option.channel)
        asked = {} if self.asked_share == 1 else {"Asked": f"{self.asked_share} of all, by chance"}
        return {"Design": design, **asked, **self._warned}

    @property
    def procedure(self) -> str:
        """How they were estimated, as sentences of a methods section."""
        return (
            f"Answers were randomized ({plain_name(self._some.design)}). Respondents could tick"
            " several options, and shares need not sum to 1. The share of each is estimated by"
            " itself, without bias, from the fraction of the reports asking it that say ticked,"
            f" through the exact inverse of the channel; each interval, on its own, is"
            f" {INTERVALS['score']}."
        )

    @property
    def _some(self) -> ShareEstimate:
        return next(option for option in self.options if option)

    def lines(self, confidence: float = 0.95) -> tuple[Line, ...]:
        """Return the shares, each with its own interval and n; for joint ones `simultaneous`."""
        return tuple(
            Line(
                f"option {place}",
                option.value,
                option.standard_error,
                option.interval(confidence),
                option.n,
                is_share=True,
            )
            for place, option in enumerate(self.options)
            if option
        )

    def intervals(
        self, confidence: float = 0.95, method: Method = "score"
    ) -> tuple[Interval | None, ...]:
        """Return an interval an option, each on its own at the given confidence."""
        return tuple(
            option.interval(confidence, method) if option else None for option in self.options
        )

    def simultaneous(
        self, confidence: float = 0.95, method: Method = "score"
    ) -> tuple[Interval | None, ...]:
        """Return intervals that all hold together with at least the given confidence.

        Bonferroni over all options offered; each `Interval` says among how many.
        """
        among = len(self.options)
        return tuple(
            option.shared_interval(confidence, method, among=among) if option else None
            for option in self.options
        )

    @property
    def design_p_value(self) -> float:
        """How likely reports this extreme are if every device follows the design.

        Neither too few nor too many may ask an option, nor say that it is ticked. The smallest
        probability, exact and binomial, times how many there are (Bonferroni).
        """
        chances = [option.design_p_value for option in self.options if option]
        if self.asked_share < 1:
            chances += [self._asked_p_value(option.n if option else 0) for option in self.options]
        return min(1.0, len(chances) * min(chances))

    def _asked_p_value(self, asked: int) -> float:
        """Return the two-sided probability that an option is asked so often or so rarely."""
        share = float(self.asked_share)
        return min(1.0, 2 * min(tail_to(asked, self.n, share), tail_from(asked, self.n, share)))


@dataclass(frozen=True, slots=True, eq=False)
class _Ticked:
    """The reports that ask each option, which may be of the same people."""

    by_option: tuple[tuple[int, int], ...]
    channel: Channel

    def covariance(self, first: int, second: int) -> float:
        """Return the least that is possible, which makes a difference least sure.

        Coins of different options are independent, and how many people tick both is not told. The
        fewest are max(0, a + b - 1) of all (Frechet 1951), as if all who are asked one option were
        asked the other.
        """
        pairs = [self.by_option[place] for place in (first, second)]
        a, b = (min(max(ShareEstimate(pair, self.channel).value, 0.0), 1.0) for pair in pairs)
        return (max(0.0, a + b - 1) - a * b) / max(map(sum, pairs))


def estimate_several(counts: Counts, mechanism: SeveralMechanism) -> SeveralEstimate:
    """Return the share of each option from the tally of a question with several answers.

    An option's bit in a report depends on no other option, so that its share follows from its own
    counts alone, by the same two-by-two channel as a yes/no question's.

    Parameters
    ----------
    counts
        The mechanism's tally, one number a counter.
    mechanism
        A mechanism for questions of which several options may be ticked.

    Returns
    -------
    SeveralEstimate
        A raw share an option, each with the number of reports that ask it.

    Raises
    ------
    EstimationError
        If the counts do not fit the mechanism, or there are none.
    """
    check_readout(mechanism, "asked", "one for several options")
    counts = check_counts(counts, mechanism.counters)
    by_option = mechanism.by_option(counts)
    if any(others < 0 for others, _ in by_option):
        raise EstimationError("an option is ticked by more reports than there are")
    channel = channel_of(mechanism)
    name = name_of(mechanism)
    asked, together = mechanism.asked_share, _Ticked(tuple(by_option), channel)
    alone = asked * mechanism.options <= 1  # different options are asked of different people
    shares = tuple(
        ShareEstimate(pair, channel, name, asked, None if alone else (together, place))
        if any(pair)
        else None
        for place, pair in enumerate(by_option)
    )
    return SeveralEstimate(shares, mechanism.reports_counted(counts), asked)
