"""Audit a mechanism with many reports: count the options that they name, and judge those.

A mask of 64 options has 2**64 values, so that none would come twice. What estimates and odds
rest on can still be counted: that a report names an option, and that it names one of two
neighbours and not the other, which moves the odds between these two as far as any report does.

Counts of one event, over several answers for which it is equally likely, are added up: every
trial is a run of its own, so that the sum is binomial, and tells much more than its parts.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf, log
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tossup.server.auditing.found import Event, p_value
from tossup.server.auditing.numerals import report_of
from tossup.server.auditing.program import Places, run
from tossup.server.auditing.verdict import ALPHA, Bound, Verdict
from tossup.server.estimation.intervals.binomial import clopper_pearson
from tossup.server.kernels import Column, NamingKernel, kernel_of
from tossup.shared.mechanisms import FrequencyOracle, Mechanism

Matrix = NDArray[np.int64]
Interval = tuple[float, float]

_LINE_END: Final = 3  # bytes: the line's own end, and one more that makes it too long


@dataclass(slots=True, eq=False)
class Named:
    """Which options the reports of every answer name.

    Attributes
    ----------
    oracle
        The mechanism that the reports are said to be of.
    trials
        How often each answer was given.
    options
        ``options[answer, option]``: reports that name the option.
    pairs
        ``pairs[answer, option]``: reports that name the option and the next one.
    impossible
        Numbers that no answer can give as its report.
    """

    oracle: FrequencyOracle
    trials: int = 0
    options: Matrix = field(init=False)
    pairs: Matrix = field(init=False)
    impossible: int = 0

    def __post_init__(self) -> None:
        self.options = np.zeros((self.oracle.answers, self.oracle.answers), dtype=np.int64)
        self.pairs = np.zeros_like(self.options[:, 1:])

    def add(self, answers: Places, reports: Sequence[int]) -> None:
        """Count a report of each of these answers, among which all come equally often."""
        named = _naming(self.oracle).supports(_column(self.oracle, reports))
        by_answer = named[np.argsort(answers, kind="stable")]
        by_answer = by_answer.reshape(self.oracle.answers, -1, self.oracle.answers)
        self.trials += by_answer.shape[1]
        self.options += by_answer.sum(axis=1)
        self.pairs += (by_answer[:, :, :-1] & by_answer[:, :, 1:]).sum(axis=1)
        self.impossible += sum(not self.oracle.is_report(report) for report in reports)


def names_options(mechanism: Mechanism) -> bool:
    """Return whether this audit knows how likely the mechanism's reports name options."""
    return mechanism.names_each and mechanism.readout == "named"


def count_named(
    command: Sequence[str], oracle: FrequencyOracle, trials: int, timeout_seconds: float
) -> Named:
    """Return which options the reports of a program name; parameters are as for `run`.

    Raises
    ------
    AuditError
        If the program does not run, or writes anything but one number for each answer.
    """
    named = Named(oracle)

    def count(block: Places, lines: list[bytes]) -> None:
        named.add(block, [report_of(line, oracle.reports) for line in lines])

    longest = len(str(oracle.reports)) + _LINE_END
    run(command, range(oracle.answers), trials, timeout_seconds, count, longest_line=longest)
    return named


def judge_named(named: Named) -> Verdict:
    """Return what the three tests find in the options that reports name."""
    families = list(_families(named))
    lower, upper = _epsilon_band(named, ALPHA / 2)
    odds = named.oracle.odds
    claim = log(odds.numerator) - log(odds.denominator)
    return Verdict(
        mechanism=named.oracle,
        audited="options",
        answers=named.oracle.answers,
        counts=tuple(tuple(row) for row in named.options.tolist()),
        trials=named.trials,
        alpha=ALPHA,
        claim=claim,
        lower=lower,
        bounds=(Bound("an option without its neighbour", lower, upper, claim),),
        cells=sum(family.counts.size for family in families),
        worst=min((family.worst() for family in families), key=lambda event: event.p_value),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Family:
    """Counts of events with the same number of trials and the same probability."""

    what: str  # a format of the event's place
    counts: Matrix
    trials: int
    chance: Fraction
    places: Matrix | None = None  # one row a count; the count's own place by default

    def worst(self) -> Event:
        """Return the event that is farthest off: the most or the least frequent one."""
        return min(
            (self._event(int(place)) for place in (self.counts.argmin(), self.counts.argmax())),
            key=lambda event: event.p_value,
        )

    def _event(self, place: int) -> Event:
        count = int(self.counts[place])
        named = [place] if self.places is None else self.places[place].tolist()
        chance = p_value(count, self.trials, float(self.chance))
        return Event(self.what.format(*named), count, self.trials, str(self.chance), chance)


def _families(named: Named) -> Iterator[_Family]:
    oracle, trials = named.oracle, named.trials
    k, (q, p) = oracle.answers, oracle.rates
    own = np.diag(named.options)
    apart = ~np.eye(k, dtype=np.bool_)
    yield _Family(
        "numbers that are no report", np.array([named.impossible]), k * trials, Fraction()
    )
    yield _Family("option {0} from answer {0}", own, trials, p)
    yield _Family("answers in their own reports", own.sum(keepdims=True), k * trials, p)
    yield _Family("option {1} from answer {0}", named.options[apart], trials, q, np.argwhere(apart))
    others = named.options.sum(axis=0) - own
    yield _Family("option {0} from all other answers", others, (k - 1) * trials, q)
    yield from _of_neighbours(named)
    if oracle.neither_of_two is not None and k > 2:
        both = named.pairs.sum(axis=0) - np.diag(named.pairs) - np.diag(named.pairs, -1)
        what = "option {0} with the next, from all other answers"
        yield _Family(what, both, (k - 2) * trials, oracle.neither_of_two)


def _of_neighbours(named: Named) -> Iterator[_Family]:
    k, trials, (q, p) = named.oracle.answers, named.trials, named.oracle.rates
    both = _both_chance(named.oracle)
    for (own, other), side in zip(_neighbours(named), ("next", "previous"), strict=True):
        what = f"option {{0}} without its {side} one, from"
        yield _Family(f"{what} answer {{0}}", own, trials, p - both)
        yield _Family(f"{what} that one", other, trials, q - both)
        all_own, all_other = own.sum(keepdims=True), other.sum(keepdims=True)
        yield _Family(f"answers without their {side} one", all_own, (k - 1) * trials, p - both)
        what = f"options without their {side} one, from that one"
        yield _Family(what, all_other, (k - 1) * trials, q - both)


def _neighbours(named: Named) -> tuple[tuple[Matrix, Matrix], tuple[Matrix, Matrix]]:
    """Return how often one of two neighbours was named alone: from itself, and from the other.

    First the former of each two, then the latter.
    """
    own, pairs = np.diag(named.options), named.pairs
    from_former, from_latter = np.diag(pairs), np.diag(pairs, -1)
    former = own[:-1] - from_former, np.diag(named.options, -1) - from_latter
    latter = own[1:] - from_latter, np.diag(named.options, 1) - from_former
    return former, latter


def _both_chance(oracle: FrequencyOracle) -> Fraction:
    """Return how likely an answer's report names it and a given other option.

    From (p - both) = odds (q - both): naming an option and not the other is among the events
    that move the odds between them the most.
    """
    q, p = oracle.rates
    return (oracle.odds * q - p) / (oracle.odds - 1)


def _epsilon_band(named: Named, alpha: float) -> Interval:
    """Return bounds of epsilon from single options, and from one of two neighbours alone.

    The probability of an event, averaged over several answers, is also at most e**epsilon times
    that from any other answer. So sums bound epsilon, too, and much closer.
    """
    k, trials = named.oracle.answers, named.trials
    confidence = 1 - alpha / (k * k + k + 4)
    bands = [
        _ratio(
            clopper_pearson(int(own.sum()), (k - 1) * trials, confidence),
            clopper_pearson(int(other.sum()), (k - 1) * trials, confidence),
        )
        for own, other in _neighbours(named)
    ]
    lower = max(low for low, _ in bands)
    single = max(_least_epsilon(named, option, confidence) for option in _extreme(named))
    return max(0.0, lower, single), min(high for _, high in bands)


def _extreme(named: Named) -> set[int]:
    """Return the options that may tell most: often or seldom named by others, or by their own."""
    own = np.diag(named.options)
    tallies = own, named.options.sum(axis=0) - own, named.options.min(axis=0)
    return {int(place) for tally in tallies for place in (tally.argmin(), tally.argmax())} | {
        int(named.options.max(axis=0).argmax())
    }


def _least_epsilon(named: Named, option: int, confidence: float) -> float:
    """Return a lower bound of epsilon from how often one option was named, and was not."""
    column, trials = named.options[:, option], named.trials
    intervals = [
        clopper_pearson(int(count), trials, confidence) for count in (column.min(), column.max())
    ]
    rest, own = int(column.sum() - column[option]), int(column[option])
    intervals += [
        clopper_pearson(own, trials, confidence),
        clopper_pearson(rest, (len(column) - 1) * trials, confidence),
    ]
    denied = [(1 - high, 1 - low) for low, high in intervals]
    return max(
        _ratio(one, another)[0]
        for side in (intervals, denied)
        for one in side
        for another in side
        if one is not another
    )


def _ratio(one: Interval, another: Interval) -> Interval:
    """Return bounds of the logarithm of a ratio of two probabilities."""
    lower = log(one[0] / another[1]) if one[0] > 0 else -inf
    return lower, log(one[1] / another[0]) if another[0] > 0 else inf


def _column(oracle: FrequencyOracle, reports: Sequence[int]) -> Column:
    """Return reports as they stand in a column."""
    width = -(-(oracle.reports - 1).bit_length() // 8)
    packed = b"".join([report.to_bytes(width, "little") for report in reports])
    column = np.frombuffer(packed, dtype=np.uint8)
    return column if width == 1 else column.reshape(-1, width)


def _naming(oracle: FrequencyOracle) -> NamingKernel:
    kernel = kernel_of(oracle)
    if not isinstance(kernel, NamingKernel):
        raise TypeError(f"this server has no audit for {oracle.name}; upgrade tossup")
    return kernel
