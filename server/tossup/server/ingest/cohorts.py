"""Reports that arrive one by one are stored in groups that hide who sent what beside what.

Stage: ingest. A device sends the reports to several questions one after the other. If each had
a row of its own, the order of rows would join them again, although nothing else does.
So the newest reports of each question and day stand in one chunk, sorted by their random ids,
that grows with every commit until it is cut in two.
"""

from collections.abc import Iterator
from random import SystemRandom
from typing import Final

import numpy as np

from tossup.server.ingest.packing import Ordered, Reports, by_id, order_of

#: A finished chunk of reports that came one by one holds at least this many.
COHORT: Final = 128


def cut(reports: Ordered, cohort: int = COHORT) -> Iterator[tuple[Ordered, bool]]:
    """Yield reports as chunks, and whether the chunk may still grow; that comes last.

    Above twice the cohort, chance alone chooses the halves: if they were cut by age, the finished
    chunk would tell which reports came together.
    """
    n = len(reports.ids)
    if n <= 2 * cohort:
        yield reports, True
        return
    finished = np.zeros(n, dtype=np.bool_)
    finished[SystemRandom().sample(range(n), n // 2)] = True
    yield by_id(reports.take(finished)), False
    yield by_id(reports.take(~finished)), True


def joined(first: Reports, second: Reports) -> Ordered:
    """Return reports of one manifest, question and day together."""
    ids = np.concatenate((first.ids, second.ids))
    order = order_of(ids)
    pairs = zip(first.values, second.values, strict=True)
    attributes = np.concatenate((first.attributes, second.attributes), axis=1)
    both = Reports(
        first.survey,
        first.question,
        first.day,
        ids.take(order, axis=0),
        tuple([np.concatenate(pair).take(order, axis=0) for pair in pairs]),
        attributes.take(order, axis=1),
    )
    return Ordered(both)
