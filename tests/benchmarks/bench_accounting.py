"""Accounting: an exact figure for a million people must not keep an author waiting."""

import time
from decimal import Decimal

from bench_figures import Figure, ratio_of

from tossup.server.accounting.guarantee import Guarantee
from tossup.server.accounting.shuffling import clones

ROUNDS = 11


def mixing() -> Figure:
    """Time the exact clones epsilon at n = 1e6; the figure is in seconds."""
    seconds = [_seconds() for _ in range(ROUNDS)]
    found = clones(Guarantee(Decimal(1)), 10**6, Decimal("1e-8")).mixed
    note = f"epsilon 1 becomes {found.shown(7)[0]} at delta 1e-8"
    name = "exact clones epsilon at n = 1e6, seconds"
    return ratio_of(name, (seconds, [1.0] * ROUNDS), better="lower", gate=1, goal=0.25, note=note)


def _seconds() -> float:
    start = time.perf_counter()
    clones(Guarantee(Decimal(1)), 10**6, Decimal("1e-8"))
    return time.perf_counter() - start
