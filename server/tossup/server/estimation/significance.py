"""Tests of "the shares are the same", on the raw reports.

Where the coins are the same, equal shares mean equal report rates, and the ordinary test on the
reports is the right one: debiasing cancels.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tossup.server.estimation.distributions import chi_squared_tail
from tossup.server.estimation.errors import EstimationError
from tossup.server.estimation.share import ShareEstimate
from tossup.server.estimation.wording import probability


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
