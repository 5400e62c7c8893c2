"""Two groups, two waves, two designs: how far apart, and how surely.

Differences and ratios are made from the raw estimates and their intervals, so the groups may have
answered under different coins. Where the coins are the same, equal shares mean equal report rates,
and the ordinary test on the reports is the right one: debiasing cancels.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import sqrt
from typing import overload

from tossup.server.estimation.distributions import chi_squared_tail, normal_two_sided
from tossup.server.estimation.errors import EstimationError
from tossup.server.estimation.interval import Interval
from tossup.server.estimation.result import Estimate, Line, Result
from tossup.server.estimation.share import Method, ShareEstimate
from tossup.server.estimation.wording import INTERVALS, channel_in_words, probability


@dataclass(frozen=True, slots=True)
class Significance:
    """A test of "the shares are the same".

    Attributes
    ----------
    statistic
        Chi-squared or z; None for Fisher's test, which has none.
    df
        Degrees of freedom; None where there are none.
    p_value
        Two-sided.
    method
        ``"chi-square"``, ``"fisher"`` or ``"wald"``.
    """

    statistic: float | None
    df: int | None
    p_value: float
    method: str

    def __str__(self) -> str:
        if self.method == "fisher":
            return f"Fisher's exact test: {probability(self.p_value)}"
        name = "z" if self.df is None else f"chi-squared({self.df})"
        return f"{name} = {self.statistic:.3f}, {probability(self.p_value)} ({self.method})"


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


@dataclass(frozen=True, slots=True)
class Pair:
    """Two of several groups.

    Attributes
    ----------
    names
        Of the first and the second group.
    difference
        First less second.
    interval
        Holds together with those of all other pairs (Bonferroni).
    p_value, adjusted
        Of this pair alone, and Holm's: reject where it is at most the level wanted for all pairs
        together.
    """

    names: tuple[str, str]
    difference: Difference
    interval: Interval
    p_value: float
    adjusted: float

    @property
    def name(self) -> str:
        """Both names."""
        return " - ".join(self.names)


@dataclass(frozen=True)
class Pairs(Sequence[Pair], Result):
    """Several pairs of groups, compared together; made by `compare_pairs` and `changes`."""

    pairs: tuple[Pair, ...]

    @overload
    def __getitem__(self, place: int) -> Pair: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[Pair, ...]: ...

    def __getitem__(self, place: int | slice) -> Pair | tuple[Pair, ...]:
        """Return one pair, or several."""
        return self.pairs[place]

    def __len__(self) -> int:
        return len(self.pairs)

    @property
    def title(self) -> str:
        """How many."""
        return f"Differences of {len(self)} pairs of groups, together"

    @property
    def procedure(self) -> str:
        """How they were estimated, as sentences of a methods section."""
        pair, *_ = self.pairs
        return (
            f"{pair.difference.procedure} All {len(self)} intervals hold together at the stated"
            " confidence (Bonferroni); p-values are adjusted by Holm's (1979) method."
        )

    def lines(self, confidence: float = 0.95) -> tuple[Line, ...]:
        """Return the differences, their intervals shared among them and p-values adjusted."""
        return tuple(
            Line(
                pair.name,
                pair.difference.value,
                pair.difference.standard_error,
                self._interval(pair, confidence),
                pair.difference.n,
                pair.adjusted,
            )
            for pair in self.pairs
        )

    def _interval(self, pair: Pair, confidence: float) -> Interval:
        if confidence == pair.interval.confidence:
            return pair.interval
        return pair.difference.shared_interval(confidence, "score", among=len(self))


def compare_pairs(
    groups: Mapping[str, ShareEstimate], confidence: float = 0.95, method: Method = "score"
) -> Pairs:
    """Compare every two of several groups, first less second in the order given."""
    return _pairs(tuple(combinations(groups.items(), 2)), confidence, method)


def changes(
    waves: Mapping[str, ShareEstimate], confidence: float = 0.95, method: Method = "score"
) -> Pairs:
    """Return how the share changed from each wave to the next: the later one less the earlier.

    For waves of different people; who answers twice under fresh coins is not independent.
    """
    steps = tuple((later, earlier) for earlier, later in pairwise(waves.items()))
    return _pairs(steps, confidence, method)


def same_shares(groups: Sequence[ShareEstimate]) -> Significance:
    """Test on the raw reports whether groups that answered under one channel share one share.

    Pearson's chi-squared test without correction; for two groups with an expected count below 5,
    Fisher's exact test.

    Raises
    ------
    EstimationError
        If there are fewer than two groups, or the channels differ, or all reports agree.
    """
    if len(groups) < 2:
        raise EstimationError("two groups or more are needed for a comparison")
    check_shares(groups)
    if len({group.channel for group in groups}) != 1:
        raise EstimationError("the groups answered under different channels; compare them in pairs")
    columns = [sum(column) for column in zip(*(group.counts for group in groups), strict=True)]
    if 0 in columns:
        raise EstimationError("all reports of all groups agree, so there is nothing to test")
    whole = sum(columns)
    least = min(column * group.n for group in groups for column in columns) / whole
    if len(groups) == 2 and least < 5:
        return Significance(None, None, fisher(groups[0].counts, groups[1].counts), "fisher")
    statistic = sum(
        (count - column * group.n / whole) ** 2 / (column * group.n / whole)
        for group in groups
        for count, column in zip(group.counts, columns, strict=True)
    )
    df = len(groups) - 1
    return Significance(statistic, df, chi_squared_tail(statistic, df), "chi-square")


def check_shares(groups: Sequence[ShareEstimate]) -> None:
    """Refuse what is no estimated share of yes.

    Raises
    ------
    EstimationError
        If a group is another thing.
    """
    if isinstance(groups, str) or not isinstance(groups, Sequence):
        raise EstimationError(f"groups must be a sequence of estimated shares, not {groups!r}")
    for group in groups:
        if not isinstance(group, ShareEstimate):
            raise EstimationError(
                f"{group!r} is no estimated share; make one by estimate(yes=, n=, design=)"
            )


def fisher(first: tuple[int, int], second: tuple[int, int]) -> float:
    """Return the two-sided p-value of Fisher's exact test of a two-by-two table of counts.

    The probability, given both margins, of all tables no likelier than this one: Fisher 1935,
    Journal of the Royal Statistical Society 98:39-82.

    >>> round(fisher((3, 1), (1, 3)), 6)
    0.485714
    """
    n, column, whole = sum(first), first[1] + second[1], sum(first) + sum(second)
    low, high = max(0, n + column - whole), min(n, column)
    mode = min(max((n + 1) * (column + 1) // (whole + 2), low), high)
    weights = {mode: 1.0}
    for k in range(mode, high):
        weights[k + 1] = (
            weights[k] * (n - k) * (column - k) / ((k + 1) * (whole - n - column + k + 1))
        )
    for k in range(mode, low, -1):
        weights[k - 1] = (
            weights[k] * k * (whole - n - column + k) / ((n - k + 1) * (column - k + 1))
        )
    # As R does: tables equally likely must not be told apart by rounding.
    limit = weights[first[1]] * (1 + 1e-7)
    return min(1.0, sum(w for w in weights.values() if w <= limit) / sum(weights.values()))


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Return Holm's adjusted p-values, in the order given.

    Holm 1979, Scandinavian Journal of Statistics 6:65-70.

    >>> holm([0.01, 0.04, 0.03])
    (0.03, 0.06, 0.06)
    """
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = highest
    return tuple(adjusted)


_Named = tuple[str, ShareEstimate]


def _pairs(pairs: Sequence[tuple[_Named, _Named]], confidence: float, method: Method) -> Pairs:
    if not pairs:
        raise EstimationError("two groups or more are needed for a comparison")
    differences = [Difference(first[1], second[1]) for first, second in pairs]
    p_values = [difference.significance().p_value for difference in differences]
    together = zip(pairs, differences, p_values, holm(p_values), strict=True)
    return Pairs(
        tuple(
            Pair(
                (first[0], second[0]),
                difference,
                difference.shared_interval(confidence, method, among=len(pairs)),
                p_value,
                adjusted,
            )
            for (first, second), difference, p_value, adjusted in together
        )
    )


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
