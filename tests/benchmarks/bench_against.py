"""Figures against peers: the fastest of those that run here, in rounds with ours."""

import time
from collections.abc import Callable, Sequence
from statistics import median
from typing import Literal

import peers
from bench_figures import Figure, interleave, ratio_of, unmeasured

ROUNDS = 7


def against(
    name: str,
    works: Sequence[str],
    ours: Callable[[], float],
    *,
    peer: peers.Measure,
    options: int,
    n: int,
    better: Literal["higher", "lower"] = "higher",
    gate: float,
    goal: float,
) -> Figure:
    """Compare the seconds that one report takes: theirs over ours, or ours over theirs if lower.

    Where none of the peers' works runs, the figure is there and says why.
    """
    found, missing = _tried(works, peer, options, n)
    if not found:
        return unmeasured(name, better=better, gate=gate, goal=goal, note="; ".join(missing))
    fastest = min(found, key=lambda work: found[work])
    ours()  # what is made once and kept, such as tables, is nobody's figure
    theirs, mine = interleave(lambda: peer(fastest, options=options, n=n) / n, ours, ROUNDS)
    measured = (theirs, mine) if better == "higher" else (mine, theirs)
    each = f"{fastest} {median(theirs) * 1e9:.4g} ns, ours {median(mine) * 1e9:.3g} ns each"
    note = "; ".join([each, *missing])
    return ratio_of(name, measured, better=better, gate=gate, goal=goal, note=note)


def _tried(
    works: Sequence[str], peer: peers.Measure, options: int, n: int
) -> tuple[dict[str, float], list[str]]:
    """Return how long each work takes, and what is wrong with those that do not run."""
    found, missing = {}, []
    for work in works:
        try:
            found[work] = peer(work, options=options, n=n)
        except peers.PeerMissingError as error:
            missing.append(str(error))
    return found, missing


def seconds(work: Callable[[], object], times: int = 1) -> float:
    """Return the processor time of doing it once, measured over some times."""
    start = time.process_time()
    for _ in range(times):
        work()
    return (time.process_time() - start) / times
