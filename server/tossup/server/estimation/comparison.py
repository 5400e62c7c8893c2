"""Two groups, two waves, two designs: how far apart, and how surely.

Differences and ratios are made from the raw estimates and their intervals, so the groups may have
answered under different coins.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt

from tossup.server.estimation.distributions import normal_two_sided
from tossup.server.estimation.errors import EstimationError
from tossup.server.estimation.interval import Interval
from tossup.server.estimation.result import Estimate, Line
from tossup.server.estimation.share import Method, ShareEstimate
from tossup.server.estimation.significance import Significance, check_shares, same_shares
from tossup.server.estimation.wording import INTERVALS, channel_in_words


@dataclass(frozen=True, slots=True)
class Difference(Estimate):
    """The share of the first group less that of the second; the groups are independent.

    Examples
    --------
    >>> from tossup.server.estimation.design import two_coins
    >>> from tossup.server.estimation.asking import estimate
    >>> first = estimate(yes=140, n=300, design=two_coins())
    >>> second = estimate(yes=110, n=300, design=two_coins())
    >>> apart = Difference(first, second)
    >>> round(apart.value, 3), round(apart.significance().p_value, 3)
    (0.2, 0.013)
    """

    first: ShareEstimate
    second: ShareEstimate

    def __post_init__(self) -> None:
        check_shares((self.first, self.second))

    @property
    def value(self) -> float:
        """The raw difference: unbiased."""
        return self.first.value - self.second.value

    @property
    def standard_error(self) -> float:
        """The estimated standard deviation of `value`, with divisors n."""
        return sqrt(self.first.standard_error**2 + self.second.standard_error**2)

    def interval(self, confidence: float = 0.95, method: Method = "score") -> Interval:
        """Return the MOVER interval, from the interval of each group.

        Newcombe 1998, Statistics in Medicine 17:873-890, method 10; for any two intervals: Zou
        and Donner 2008, Statistics in Medicine 27:1693-1702.
        """
        return self.shared_interval(confidence, method, among=1)

    def shared_interval(self, confidence: float, method: Method, *, among: int) -> Interval:
        """Return one of ``among`` intervals that hold together: Bonferroni, as of a share."""
        sides = (
            _sides(share, share.shared_interval(confidence, method, among=among))
            for share in (self.first, self.second)
        )
        (down, up), (second_down, second_up) = sides
        low = self.value - sqrt(down**2 + second_up**2)
        high = self.value + sqrt(up**2 + second_down**2)
        return Interval(low, high, confidence, f"mover-{method}", among)

    def significance(self) -> Significance:
        """Test whether the shares are the same.

        With one channel: on the raw reports, Pearson's chi-squared test without correction, or
        Fisher's exact one where an expected count is below 5. With two: Wald's test.
        """
        if self.first.channel == self.second.channel:
            return same_shares([self.first, self.second])
        if not self.standard_error:
            raise EstimationError("all reports of both groups agree, so the difference has no test")
        z = self.value / self.standard_error
        return Significance(z, None, normal_two_sided(z), "wald")

    @property
    def n(self) -> int:
        """Reports of both groups."""
        return self.first.n + self.second.n

    @property
    def title(self) -> str:
        """What was estimated."""
        return "Difference of two shares of yes"

    @property
    def facts(self) -> dict[str, str]:
        """Both groups, and the test of "no difference"."""
        try:
            test = str(self.significance())
        except EstimationError as error:
            test = f"none: {error}"
        return {"First": str(self.first), "Second": str(self.second), "Test": test}

    @property
    def procedure(self) -> str:
        """How it was estimated, as sentences of a methods section."""
        designs = dict.fromkeys(
            channel_in_words(share.design, share.channel) for share in (self.first, self.second)
        )
        same = self.first.channel == self.second.channel
        test = (
            "equal shares mean equal report rates, so the test is the ordinary one on the reports"
            " (Pearson's chi-squared; Fisher's exact one where an expected count is below 5)"
            if same
            else "the channels differ, so the test is Wald's"
        )
        return (
            f"Answers were randomized ({'; '.join(designs)}). Both shares are estimated without"
            f" bias through their channels and subtracted; the interval is"
            f" {INTERVALS['mover-score']}; {test}."
        )

    def lines(self, confidence: float = 0.95) -> tuple[Line, ...]:
        """Return the difference."""
        try:
            p_value = self.significance().p_value
        except EstimationError:  # all reports of both groups agree
            p_value = None
        interval = self.interval(confidence)
        return (Line("difference", self.value, self.standard_error, interval, None, p_value),)


@dataclass(frozen=True, slots=True)
class Ratio(Estimate):
    """The share of the first group over that of the second; the groups are independent."""

    first: ShareEstimate
    second: ShareEstimate

    def __post_init__(self) -> None:
        check_shares((self.first, self.second))

    @property
    def value(self) -> float:
        """The ratio of the raw estimates."""
        if not self.second.exact:
            raise EstimationError("the second share is estimated as 0, so there is no ratio to it")
        return float(self.first.exact / self.second.exact)

    def interval(self, confidence: float = 0.95, method: Method = "score") -> Interval:
        """Return every ratio r for which the MOVER interval of first - r second holds 0.

        Donner and Zou 2012, Statistical Methods in Medical Research 21:347-359.

        Raises
        ------
        EstimationError
            If the interval of the second share reaches 0: then no ratio is excluded from above.
        """
        shares = (self.first, self.second)
        if self.second.interval(confidence, method).low <= 0:
            raise EstimationError(
                "the interval of the second share reaches 0, so the ratio has no bounds; compare"
                " by the difference"
            )
        sides = [_sides(share, share.interval(confidence, method)) for share in shares]
        low = _falls_to_zero(lambda ratio: self._mover(ratio, sides, -1))
        high = _falls_to_zero(lambda ratio: self._mover(ratio, sides, 1))
        return Interval(low, high, confidence, f"mover-{method}")

    @property
    def standard_error(self) -> float:
        """By the delta method; misleading where the second share is near 0: see `interval`."""
        spread = self.first.standard_error**2 + (self.value * self.second.standard_error) ** 2
        return sqrt(spread) / abs(self.second.value)

    @property
    def n(self) -> int:
        """Reports of both groups."""
        return self.first.n + self.second.n

    @property
    def title(self) -> str:
        """What was estimated."""
        return "Ratio of two shares of yes"

    @property
    def facts(self) -> dict[str, str]:
        """Both groups."""
        return {"First": str(self.first), "Second": str(self.second)}

    @property
    def procedure(self) -> str:
        """How it was estimated, as sentences of a methods section."""
        return (
            "Both shares are estimated without bias through their channels and divided; the"
            " interval holds every ratio r for which the MOVER interval of first - r second holds"
            " 0 (Donner and Zou 2012)."
        )

    def lines(self, confidence: float = 0.95) -> tuple[Line, ...]:
        """Return the ratio; without an interval where no ratio is excluded."""
        try:
            interval = self.interval(confidence)
        except EstimationError:
            interval = None
        return (Line("ratio", self.value, self.standard_error, interval),)

    def _mover(self, ratio: float, sides: list[tuple[float, float]], sign: int) -> float:
        """Return an end of the MOVER interval of first - ratio x second."""
        (down, up), second = sides
        own = up if sign > 0 else down
        # The upper end goes with the second's lower side, unless a negative ratio turns it.
        other = second[0] if (sign > 0) == (ratio > 0) else second[1]
        value = self.first.value - ratio * self.second.value
        return value + sign * sqrt(own**2 + (ratio * other) ** 2)


def _sides(share: ShareEstimate, interval: Interval) -> tuple[float, float]:
    """Return how far an interval reaches below and above its estimate."""
    if interval.method == "profile":
        raise EstimationError(
            "profile intervals leave raw estimates out; compare by score or exact"
        )
    return share.value - interval.low, interval.high - share.value


def _falls_to_zero(function: Callable[[float], float]) -> float:
    """Return where a function that falls for good, from above 0 to below, is 0."""
    low, high = -1.0, 1.0
    while function(low) < 0:
        low *= 2
    while function(high) > 0:
        high *= 2
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if function(middle) > 0 else (low, middle)
    return high
