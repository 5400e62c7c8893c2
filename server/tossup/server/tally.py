"""Tallies: counts of each report, mergeable by addition.

Stage: ingest to estimate. A tally is all that an estimate needs; its size depends on the number
of answers, never on the number of reports.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class Cell:
    """The reports to one question of one manifest that arrived on one day from one stratum.

    Attributes
    ----------
    manifest
        Digest of the manifest the reports answer.
    question
        The question's id.
    day
        The server's day (UTC) on which they arrived; nothing finer is kept.
    stratum
        Option index of every public attribute, in the manifest's order.
    counts
        The mechanism's counters: for most, the number of reports of each value.
    """

    manifest: str
    question: str
    day: date
    stratum: tuple[int, ...]
    counts: tuple[int, ...]


def add(tallies: Iterable[tuple[int, ...]], counters: int) -> tuple[int, ...]:
    """Return the sum of tallies of ``counters`` numbers each; all zero for none.

    >>> add([(3, 1), (0, 2)], counters=2)
    (3, 3)
    """
    return tuple(map(sum, zip(*tallies, strict=True))) or (0,) * counters
