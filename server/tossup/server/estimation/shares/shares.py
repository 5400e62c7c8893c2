"""All shares of a multiple choice, estimated together."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tossup.server.estimation.checks import Counts, check_counts
from tossup.server.estimation.comparing.comparison import Difference
from tossup.server.estimation.designs.named import AnyDesign, channel_of, is_mechanism, name_of
from tossup.server.estimation.errors import EstimationError
from tossup.server.estimation.intervals.coins import floored
from tossup.server.estimation.intervals.interval import Interval, Method
from tossup.server.estimation.intervals.projection import norm_sub
from tossup.server.estimation.shares.share import ShareEstimate
from tossup.server.estimation.telling.line import Line
from tossup.server.estimation.telling.result import Result
from tossup.server.estimation.telling.wording import INTERVALS, channel_in_words, plain_name
from tossup.server.kernels import kernel_of
from tossup.shared.mechanisms import Mechanism
from tossup.shared.mechanisms.base import Channel


@dataclass(frozen=True, slots=True)
class SharesEstimate(Result):
    """The shares of all options, and how their errors go together.

    Attributes
    ----------
    options
        One `ShareEstimate` an option. Their values sum to 1 for mechanisms whose reports name
        always equally many options, such as k-ary randomized response and subset selection.
    oracle
        The mechanism, where a report may name several options.

    Examples
    --------
    >>> from tossup.shared.mechanisms import KaryRandomizedResponse
    >>> shares = estimate_shares((500, 300, 200), KaryRandomizedResponse(3, keep=3, lie=1))
    >>> [round(value, 6) for value in shares.values]
    [0.75, 0.25, 0.0]
    """

    options: tuple[ShareEstimate, ...]
    oracle: Mechanism | None = None

    @property
    def n(self) -> int:
        """Number of reports the estimates rest on."""
        return self.options[0].n

    @property
    def counts(self) -> tuple[int, ...]:
        """Reports that name each option."""
        return tuple(option.counts[1] for option in self.options)

    @property
    def values(self) -> tuple[float, ...]:
        """The raw estimates, negative ones included."""
        return tuple(option.value for option in self.options)

    @property
    def possible(self) -> tuple[float, ...]:
        """A view and never an estimate: the nearest shares that are possible (`norm_sub`)."""
        return norm_sub(self.values)

    @property
    def covariance(self) -> NDArray[np.float64]:
        """The estimated covariance of `values`.

        That of the fractions x of reports that name each option, (B - x x') / n with B the
        chances of being named together, through the inverse of the channel: Chaudhuri and Mukerjee
        1988, *Randomized Response: Theory and Techniques*. For the channels that
        `estimate_shares` takes, the inverse only scales by 1 / (p - q). Where a report names one
        option, B is diag(x); where it may name several, B follows from the estimated shares. Where
        all reports name an option, or none, x are the fractions that the nearest possible shares
        (`possible`) lead one to expect: the coins vary all the same. The diagonal is that of
        `standard_errors`.
        """
        if any(count in {0, self.n} for count in self.counts):
            shares = np.array(self.possible)
            q, gaps = self._rates
            covariance = self._covariance(q + gaps * shares, shares)
        else:
            covariance = self._covariance(np.asarray(self.counts) / self.n, np.array(self.values))
        return floored(covariance, np.array(self.standard_errors()))

    def difference(self, first: int, second: int) -> Difference:
        """Return the share of one option less that of another one, from the same reports.

        >>> from tossup.shared.mechanisms import KaryRandomizedResponse
        >>> shares = estimate_shares((500, 300, 200), KaryRandomizedResponse(3, keep=3, lie=1))
        >>> print(shares.difference(0, 1))
        difference: 0.5000 (0.3634 to 0.6331, 95 % mover-score interval, p < 0.001, n = 1000)
        """
        covariance = float(self.covariance[first, second])
        return Difference(self.options[first], self.options[second], covariance)

    @property
    def respondents_covariance(self) -> NDArray[np.float64]:
        """The estimated covariance of `values` over the coins alone, for these respondents.

        The respondents are fixed. By the law of total variance it is that for the population less
        (diag(s) - s s') / n, which who was asked adds. The shares s are taken to be the nearest
        possible ones, so that it is a mixture of the covariances of every answer's reports.
        """
        shares = np.array(self.possible)
        q, gaps = self._rates
        asked = (np.diag(shares) - np.outer(shares, shares)) / self.n
        return self._covariance(q + gaps * shares, shares) - asked

    def _covariance(
        self, fractions: NDArray[np.float64], shares: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Return the covariance of `values`, should fractions and shares be these."""
        both = np.diag(fractions)
        if self.oracle:
            kernel: Any = kernel_of(self.oracle)  # of reports that name several options
            together = kernel.together(shares)
            both += together - np.diag(np.diag(together))
        _, gaps = self._rates
        spread = (both - np.outer(fractions, fractions)) / self.n
        covariance: NDArray[np.float64] = spread / np.outer(gaps, gaps)
        return covariance

    @property
    def _rates(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Of each option q, and p - q."""
        rates = np.array([[float(rate) for rate in option.rates] for option in self.options])
        return rates[:, 0], rates[:, 1] - rates[:, 0]

    def standard_errors(self) -> tuple[float, ...]:
        """Return the standard error of each of `values`, for the population."""
        return tuple(option.standard_error for option in self.options)

    def respondents_standard_errors(self) -> tuple[float, ...]:
        """Return that of each of `values` over the coins alone, for these respondents."""
        return tuple(option.respondents_standard_error for option in self.options)

    @property
    def title(self) -> str:
        """What was estimated."""
        return f"Shares of {len(self.options)} answers"

    @property
    def facts(self) -> dict[str, str]:
        """The design, as "this answer or not", and whether such reports can be."""
        option = self.options[0]
        design = channel_in_words(f"{option.design}, of one answer", option.channel)
        return {"Design": design, **self._warned}

    @property
    def design_p_value(self) -> float:
        """How likely reports so extreme are if every device followed the design.

        The smallest probability over the options, times their number (Bonferroni).
        """
        return min(1.0, len(self.options) * min(o.design_p_value for o in self.options))

    @property
    def procedure(self) -> str:
        """How they were estimated, as sentences of a methods section."""
        return (
            f"Answers were randomized ({plain_name(self.options[0].design)}). The share of each"
            " answer is estimated without bias from the fraction of reports that name it, through"
            " the exact inverse of the channel; each interval, on its own, is"
            f" {INTERVALS['score']}."
        )

    def lines(self, confidence: float = 0.95) -> tuple[Line, ...]:
        """Return the shares, each with its own interval; for joint ones see `simultaneous`."""
        return tuple(
            Line(f"answer {place}", option.value, option.standard_error, interval, is_share=True)
            for place, (option, interval) in enumerate(
                zip(self.options, self.intervals(confidence), strict=True)
            )
        )

    def intervals(self, confidence: float = 0.95, method: Method = "score") -> tuple[Interval, ...]:
        """Return an interval an option, each on its own at the given confidence."""
        return tuple(option.interval(confidence, method) for option in self.options)

    def simultaneous(
        self, confidence: float = 0.95, method: Method = "score"
    ) -> tuple[Interval, ...]:
        """Return intervals that all hold together with at least the given confidence.

        Bonferroni over the options; each `Interval` says among how many.
        """
        among = len(self.options)
        return tuple(o.shared_interval(confidence, method, among=among) for o in self.options)


@dataclass(frozen=True, slots=True, eq=False)
class _Options:
    """The tally that the shares of all options were estimated from, by one call."""

    counts: tuple[int, ...]
    mechanism: AnyDesign

    def covariance(self, first: int, second: int) -> float:
        """Return that of the shares of two options."""
        return float(estimate_shares(self.counts, self.mechanism).covariance[first, second])


def estimate_shares(counts: Counts, mechanism: AnyDesign) -> SharesEstimate:
    """Return the shares of all answers from the counts of a question.

    Parameters
    ----------
    counts
        The mechanism's tally: reports of each value, or for a `FrequencyOracle` those that
        support each option, then all.
    mechanism
        A design, a mechanism, a channel ``[answer][report]`` or a design's name. Every report
        must be equally likely under all the answers that it does not name; that holds for two
        coins, k-ary randomized response and forced response with any number of options. Of a
        `RankedChoice` what is estimated of each option is not a share but its mean points.

    Returns
    -------
    SharesEstimate
        A raw share an answer, in the order of the answers.

    Raises
    ------
    EstimationError
        If the counts do not fit the channel, there are none, or the channel is of another kind.
    """
    if is_mechanism(mechanism):
        if mechanism.names_each and mechanism.readout == "named":
            return _from_supports(counts, mechanism)
        channels = named_or_not(mechanism)
    else:
        channels = _of_options(channel_of(mechanism))
    counts = check_counts(counts, len(channels))
    n, together = sum(counts), _Options(counts, mechanism)
    return SharesEstimate(
        tuple(
            ShareEstimate((n - count, count), channel, name_of(mechanism), among=(together, place))
            for place, (count, channel) in enumerate(zip(counts, channels, strict=True))
        )
    )


@lru_cache(maxsize=64)
def named_or_not(mechanism: Mechanism) -> tuple[Channel, ...]:
    """Return for each answer the two-by-two channel of "a report names it, or not".

    Rows are "not the answer" and "the answer", columns "not named" and "named"; for each option
    of a `RankedChoice`, rows are "ranked last" and "ranked first". For several options it is that
    of each, in reports that ask it.

    Raises
    ------
    EstimationError
        If some report is not equally likely under all the answers that it does not name.
    """
    if mechanism.names_each:
        return (channel_of(mechanism),) * mechanism.shares
    return _of_options(channel_of(mechanism))


def _from_supports(counts: Counts, mechanism: Mechanism) -> SharesEstimate:
    *supports, n = check_counts(counts, mechanism.counters)
    if max(supports) > n:
        raise EstimationError("an option has more supporters than there are reports")
    channel = channel_of(mechanism)
    name, together = mechanism.name, _Options((*supports, n), mechanism)
    options = tuple(
        ShareEstimate((n - count, count), channel, name, among=(together, place))
        for place, count in enumerate(supports)
    )
    return SharesEstimate(options, mechanism)


def _of_options(channel: Channel) -> tuple[Channel, ...]:
    if any(len(row) != len(channel) for row in channel):
        raise EstimationError("the channel must be square: as many reports as answers")
    return tuple(_of_option(channel, option) for option in range(len(channel)))


def _of_option(channel: Channel, option: int) -> Channel:
    """Return the two-by-two channel of "this option is reported, or not"."""
    with_it = channel[option][option]
    without = {row[option] for answer, row in enumerate(channel) if answer != option}
    if len(without) != 1:
        raise EstimationError(
            f"report {option} is not equally likely under all other answers, so its count alone"
            " does not tell the share"
        )
    other = without.pop()
    return ((1 - other, other), (1 - with_it, with_it))
