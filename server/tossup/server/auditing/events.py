"""What an audit looks at where reports are too many to count each: events of known probability.

A *view* of a mechanism is a list of answers to give and of events to count, with the exact
probability of each event from each answer. Events that are equally likely from several answers
are counted together in a *pool*: every trial is a run of its own, so that the sum is binomial,
too, and tells much more than its parts. A *contrast* sets an event from some answers beside the
same event from others, and so bounds epsilon.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tossup.server.auditing.numerals import report_of
from tossup.server.auditing.program import Places, run
from tossup.shared.mechanisms import Mechanism

Counts = NDArray[np.int64]
Chances = NDArray[np.float64]
Rows = NDArray[np.int64]
Flags = NDArray[np.bool_]

_LINE_END: Final = 3  # bytes: the line's own end, and one more that makes it too long


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """Events that are counted together, from several answers.

    Attributes
    ----------
    what
        What is counted, in words.
    rows, events
        The places of an answer and of an event, in pairs. Events of one answer exclude each other.
    """

    what: str
    rows: Places
    events: Rows

    @classmethod
    def of(
        cls, what: str, rows: Sequence[int] | Rows, events: Sequence[int] | Rows | int
    ) -> "Pool":
        """Return a pool of pairs; one event may be for all answers."""
        places = np.asarray(rows, dtype=np.uint16)  # of answers there are at most 1024
        return cls(what, places, np.broadcast_to(np.asarray(events, dtype=np.int64), places.shape))


@dataclass(frozen=True, slots=True, eq=False)
class Contrast:
    """Events from some answers beside the same events from others.

    Every event of ``own`` is one of ``other``, too, so that the sum of probabilities on one side
    is at most e**epsilon times that on the other, plus delta for each event.

    Attributes
    ----------
    own, other
        The two sides. All answers of a side are given equally often, unless there is one event.
    times
        How often each event stands in ``own`` and in ``other``.
    """

    own: Pool
    other: Pool
    times: tuple[int, int] = (1, 1)

    @property
    def events(self) -> float:
        """How many different events there are."""
        return len(self.own.events) / self.times[0]


Count = Callable[[Rows, Sequence[int]], Counts]


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """What an audit looks at.

    Attributes
    ----------
    mechanism
        What programs claim to be.
    audited
        What is counted, in words.
    answers
        The answers that are given.
    repeats
        How often each is given, relative to the least.
    events
        What is counted, in words.
    chances
        ``chances[answer, event]``: the probability, right to ``error``; NaN where it is not looked
        at.
    count
        Takes for each report the place of its answer, and the reports; returns how often each
        event happened from each answer.
    pools, contrasts
        What is counted together, and what bounds epsilon.
    error
        How far, in proportion, a probability may be off: 0 for exact ones.
    common
        How many of the first events are the same reports whatever the answer, so that any two
        answers may be compared by them; by default all.
    thorough
        How many lines are a thorough audit, in proportion to what a report costs.
    """

    mechanism: Mechanism
    audited: str
    answers: tuple[int, ...]
    events: tuple[str, ...]
    chances: Chances
    count: Count
    pools: tuple[Pool, ...]
    contrasts: tuple[Contrast, ...]
    repeats: tuple[int, ...] = ()
    error: float = 0.0
    common: int | None = None
    thorough: int = 1 << 21

    @property
    def given(self) -> Rows:
        """The place of an answer for each time it is given."""
        return np.repeat(np.arange(len(self.answers)), self.repeats or 1)

    @property
    def trials(self) -> int:
        """How many trials of each answer are a thorough audit."""
        return int(max(100, self.thorough // len(self.given)))


@dataclass(slots=True, eq=False)
class Counted:
    """How often the events of a view happened.

    Attributes
    ----------
    view
        What was looked at.
    trials
        How often each answer was given.
    counts
        ``counts[answer, event]``.
    impossible
        Numbers that no answer can give as its report.
    """

    view: View
    trials: Counts = field(init=False)
    counts: Counts = field(init=False)
    impossible: int = 0

    def __post_init__(self) -> None:
        self.trials = np.zeros(len(self.view.answers), dtype=np.int64)
        self.counts = np.zeros(self.view.chances.shape, dtype=np.int64)

    def add(self, places: Places, reports: Sequence[int]) -> None:
        """Count the report of each of these places in what is `View.given`."""
        rows = self.view.given[places]
        self.trials += np.bincount(rows, minlength=len(self.trials))
        is_report = self.view.mechanism.is_report
        strange = sum(not is_report(report) for report in reports)
        if strange:  # counted as such, and not looked at any further
            self.impossible += strange
            kept = [is_report(report) for report in reports]
            rows, reports = rows[kept], [r for r, keep in zip(reports, kept, strict=True) if keep]
        self.counts += self.view.count(rows, reports)


def count_events(
    command: Sequence[str], view: View, trials: int, timeout_seconds: float
) -> Counted:
    """Return how often the events of a view happened; parameters are as for `run`.

    Raises
    ------
    AuditError
        If the program does not run, or writes anything but one number for each answer.
    """
    counted = Counted(view)
    limit = view.mechanism.reports
    read = partial(report_of, reports=limit)

    def count(block: Places, lines: list[bytes]) -> None:
        counted.add(block, [read(line) for line in lines])

    answers = [view.answers[row] for row in view.given]
    longest = len(str(limit)) + _LINE_END
    run(command, answers, trials, timeout_seconds, count, longest_line=longest)
    return counted


def repeats_of(contrasts: Sequence[Contrast], answers: int) -> tuple[int, ...]:
    """Return how often each answer is given: those compared as often as all together, if few."""
    telling = np.unique(np.concatenate([[*each.own.rows, *each.other.rows] for each in contrasts]))
    found = np.ones(answers, dtype=np.int64)
    found[telling] = max(1, answers // len(telling))
    return tuple(found.tolist())


def by_flags(rows: Rows, flags: Flags, answers: int) -> Counts:
    """Return the counts of events from one row of flags a report.

    >>> by_flags(np.array([1, 1]), np.array([[True, False], [True, True]]), 2).tolist()
    [[0, 0], [2, 1]]
    """
    counts = np.zeros((answers, flags.shape[1]), dtype=np.int64)
    order = np.argsort(rows, kind="stable")
    present, starts = np.unique(rows[order], return_index=True)
    for row, places in zip(present, np.split(order, starts[1:]), strict=False):
        counts[row] = flags[places].sum(axis=0)
    return counts


def by_values(rows: Rows, values: Rows, shape: tuple[int, int]) -> Counts:
    """Return the counts of events that exclude each other: the value of each report.

    >>> by_values(np.array([1, 1, 0]), np.array([2, 2, 0]), (2, 3)).tolist()
    [[1, 0, 0], [0, 0, 2]]
    """
    counts = np.bincount(rows * shape[1] + values, minlength=shape[0] * shape[1])
    return counts.reshape(shape)
