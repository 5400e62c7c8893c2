"""Tests of "the shares are the same", on the raw reports wherever there are.

Where the coins are the same, equal shares mean equal report rates, and the ordinary test on the
reports is the right one: debiasing cancels.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Protocol, runtime_checkable

import numpy as np

from tossup.server.estimation.checks import Floats
from tossup.server.estimation.designs.design import Design
from tossup.server.estimation.errors import EstimationError
from tossup.server.estimation.intervals.distributions import chi_squared_tail
from tossup.server.estimation.intervals.interval import Interval
from tossup.server.estimation.intervals.likelihood import Likelihood
from tossup.server.estimation.telling.result import Estimate
from tossup.server.estimation.telling.wording import probability
from tossup.shared.mechanisms.base import Channel

#: Reports that do not name what is asked and reports that do, the latter likelier under a yes; and
#: their channel.
Table = tuple[tuple[int, int], Channel]


@runtime_checkable
class Comparable(Protocol):
    """An estimate that can be compared: whatever has a value, its error and an interval."""

    @property
    def n(self) -> int | None:
        """Reports it rests on; None if not known."""

    @property
    def value(self) -> float:
        """The raw estimate."""

    @property
    def standard_error(self) -> float:
        """The estimated standard deviation of `value`."""

    @property
    def interval(self) -> Callable[..., Interval] | Interval:
        """Its interval at a confidence, or one that it carries."""


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
        ``"chi-square"``, ``"fisher"``, ``"score"`` or ``"wald"``.
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


def same_shares(groups: Sequence[Comparable]) -> Significance:
    """Test whether groups share one share of yes.

    On the raw reports wherever there are: under one channel by Pearson's chi-squared test without
    correction, or for two groups with an expected count below 5 by Fisher's exact test; under
    several channels by the score test (Rao 1948), which is Pearson's with the counts expected at
    the likeliest common share. Channels that differ by the order of reports alone are one. Other
    shares, such as weighted ones, are tested by their standard errors (Cochran 1954, Biometrics
    10:101-129), and those of which some come from the same reports by their covariance (Wald 1943,
    Transactions of the American Mathematical Society 54:426-482).

    Parameters
    ----------
    groups
        Estimated shares, two or more: of different people but for those that one call made.

    Returns
    -------
    Significance
        The statistic, its degrees of freedom (groups - 1), p-value and test.

    Raises
    ------
    EstimationError
        If there are fewer than two groups, or under one channel all reports agree.
    """
    check_shares(groups)
    if len(groups) < 2:
        raise EstimationError("two groups or more are needed for a comparison")
    known = covariances(groups)
    if known is not None:
        return _by_covariance(np.array([group.value for group in groups]), known)
    tables = tables_of_one_channel(groups)
    if tables is not None:
        return _on_tables(tables)
    observed = [getattr(group, "observed", None) for group in groups]
    if None in observed:
        return _by_errors(groups)
    return _on_reports([part for part in observed if part is not None])


def covariances(groups: Sequence[Comparable]) -> Floats | None:
    """Return the covariance of estimates of which some come from the same reports; else None."""
    known = np.diag([group.standard_error**2 for group in groups])
    found = False
    for (row, first), (column, second) in combinations(enumerate(groups), 2):
        together = together_with(first, second)
        if together is not None:
            known[row, column] = known[column, row] = together
            found = True
    return known if found else None


def correlated(covariance: float, first: Comparable, second: Comparable) -> float:
    """Return the correlation of two estimates from their covariance; 0 where one is sure."""
    scale = first.standard_error * second.standard_error
    return min(max(covariance / scale, -1.0), 1.0) if scale else 0.0


def together_with(first: Comparable, second: Comparable) -> float | None:
    """Return the covariance of two estimates; None if they are of different people."""
    known = getattr(first, "covariance_with", None)
    return None if known is None else known(second)


def reports_of(groups: Sequence[Comparable]) -> int | None:
    """Return how many reports estimates rest on, each report counted once; None if not known.

    Those that one call made rest on its reports, and domains of one sample on everybody in any.
    """
    if any(group.n is None for group in groups):
        return None
    found, left = 0, list(groups)
    while left:
        first, *others = left
        known = [together_with(first, other) is not None for other in others]
        same = [first, *(other for other, is_same in zip(others, known, strict=True) if is_same)]
        left = [other for other, is_same in zip(others, known, strict=True) if not is_same]
        united = getattr(first, "n_united", None)
        found += max(one.n or 0 for one in same) if united is None else united(same)
    return found


def tables_of_one_channel(groups: Sequence[Comparable]) -> list[tuple[int, int]] | None:
    """Return reports no and yes of each group; None where their channels differ."""
    found = [table_of(group) for group in groups]
    tables = [table for table in found if table is not None]
    if len(tables) < len(groups) or len({channel for _, channel in tables}) > 1:
        return None
    return [counts for counts, _ in tables]


def table_of(group: Comparable) -> Table | None:
    """Return reports no and yes with their channel; None of what is no count of two kinds."""
    table: Table | None = getattr(group, "table", None)
    return table


def _on_tables(tables: Sequence[tuple[int, int]]) -> Significance:
    columns = [sum(column) for column in zip(*tables, strict=True)]
    if 0 in columns:
        raise EstimationError("all reports of all groups agree, so there is nothing to test")
    whole = sum(columns)
    least = min(column * sum(table) for table in tables for column in columns) / whole
    if len(tables) == 2 and least < 5:
        return Significance(None, None, fisher(tables[0], tables[1]), "fisher")
    statistic = sum(
        (count - column * sum(table) / whole) ** 2 / (column * sum(table) / whole)
        for table in tables
        for count, column in zip(table, columns, strict=True)
    )
    return _chi_squared(statistic, len(tables) - 1, "chi-square")


def _on_reports(groups: Sequence[Sequence[tuple[tuple[int, ...], Design]]]) -> Significance:
    """Return the score test: each group's score and information at the common share."""
    whole = Likelihood(tuple((counts, design.rows) for parts in groups for counts, design in parts))
    share = whole.likeliest(*whole.bounds)
    places = np.repeat(np.arange(len(groups)), [len(parts) for parts in groups])
    slopes = np.bincount(places, whole.slopes(share))
    informations = np.bincount(places, whole.informations(share))
    return _chi_squared(float((slopes**2 / informations).sum()), len(groups) - 1, "score")


def _by_errors(groups: Sequence[Comparable]) -> Significance:
    """Return Cochran's test of heterogeneity."""
    if not all(group.standard_error for group in groups):
        raise EstimationError("a share has no standard error, so there is no test")
    weights = [1 / group.standard_error**2 for group in groups]
    pairs = list(zip(weights, groups, strict=True))
    centre = sum(weight * group.value for weight, group in pairs) / sum(weights)
    statistic = sum(weight * (group.value - centre) ** 2 for weight, group in pairs)
    return _chi_squared(statistic, len(groups) - 1, "wald")


def _by_covariance(values: Floats, known: Floats) -> Significance:
    """Return Wald's test that all differences from the first are 0."""
    apart = values[1:] - values[0]
    between = known[1:, 1:] - known[1:, :1] - known[:1, 1:] + known[0, 0]
    least, most = np.linalg.eigvalsh(between)[[0, -1]]
    if not least > 1e-12 * most > 0:
        raise EstimationError("some difference has no standard error, so there is no test")
    statistic = float(apart @ np.linalg.solve(between, apart))
    return _chi_squared(statistic, len(values) - 1, "wald")


def _chi_squared(statistic: float, df: int, method: str) -> Significance:
    return Significance(statistic, df, chi_squared_tail(statistic, df), method)


def check_shares(groups: Sequence[Comparable]) -> None:
    """Refuse what is no estimate with a standard error.

    Raises
    ------
    EstimationError
        If a group is another thing.
    """
    if isinstance(groups, str) or not isinstance(groups, Sequence):
        raise EstimationError(f"groups must be a sequence of estimated shares, not {groups!r}")
    for group in groups:
        if isinstance(group, Mapping):
            raise EstimationError(
                f"{type(group).__name__} tells several numbers; name one of {', '.join(group)}"
            )
        if not isinstance(group, Estimate | Comparable) or isinstance(group, type):
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
