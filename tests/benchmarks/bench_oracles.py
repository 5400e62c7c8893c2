"""Choices: toss, count and estimate against pure-ldp and multi-freq-ldpy, and the variances."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from statistics import median

import numpy as np
import peers
from bench_figures import Figure, interleave, ratio_of

from tossup.server.choices import choose, variance
from tossup.server.estimation import estimate_shares
from tossup.server.kernels import Column, kernel_of
from tossup.shared.mechanisms import KaryRandomizedResponse, Mechanism, SubsetSelection, TwoCoin

ODDS = Fraction(3)
REPORTS = 10_000_000
ROUNDS = 7


def choices() -> list[Figure]:
    """Return the figures of yes/no questions, and of choices with 16 and with 1,024 options."""
    try:
        peers.python()
    except subprocess.CalledProcessError:
        print("  the peers could not be installed: their figures are left out", file=sys.stderr)
        return _exact()
    with peers.measuring() as peer:
        return [
            *_yes_no(peer),
            _tossing(peer),
            _counting(peer, 16),
            _counting(peer, 1024),
            _hashing(peer),
            *_exact(),
        ]


def _yes_no(peer: peers.Measure) -> list[Figure]:
    """Compare counting and debiasing yes/no reports with a peer, and with a popcount alone."""
    packed = np.frombuffer(os.urandom(REPORTS // 8), dtype=np.uint8)
    column = np.unpackbits(packed)
    theirs, ours = interleave(
        lambda: peer("multi-freq k-ary", options=2, n=100_000) / 100_000,
        lambda: _seconds(lambda: _estimates(TwoCoin(), column), 10) / REPORTS,
        ROUNDS,
    )
    limit, again = interleave(
        lambda: _seconds(lambda: np.bitwise_count(packed.view("<u8")).sum(), 10) / REPORTS,
        lambda: _seconds(lambda: _estimates(TwoCoin(), column), 10) / REPORTS,
        ROUNDS,
    )
    return [
        _against_peer("yes/no count and debias, peer / ours", theirs, ours, gate=1e3, goal=5e3),
        _against_peer("popcount of the packed bits / ours", limit, again, gate=0.2, goal=0.5),
    ]


def _tossing(peer: peers.Measure) -> Figure:
    """Compare tossing and counting 1e6 16-ary answers with a peer's tossing alone."""
    kernel = kernel_of(KaryRandomizedResponse(16))
    truth = [1_000_000 // 16] * 16
    theirs, ours = interleave(
        lambda: peer("multi-freq toss", options=16, n=50_000) / 50_000,
        lambda: _seconds(lambda: kernel.simulate(truth)) / sum(truth),
        ROUNDS,
    )
    name = "16-ary answers in bulk, peer / ours"
    return _against_peer(name, theirs, ours, gate=20, goal=50)


def _counting(peer: peers.Measure, options: int) -> Figure:
    """Compare counting and debiasing with the faster of two peers."""
    mechanism = _mechanism(options)
    column = _column(mechanism)
    fastest = min(
        ("pure-ldp k-ary", "multi-freq k-ary"),
        key=lambda work: peer(work, options=options, n=50_000),
    )
    theirs, ours = interleave(
        lambda: peer(fastest, options=options, n=50_000) / 50_000,
        lambda: _seconds(lambda: _estimates(mechanism, column)) / REPORTS,
        ROUNDS,
    )
    gate, goal = (50, 115) if options == 16 else (30, 57)
    name = f"{options}-ary count and debias, peer / ours"
    return _against_peer(name, theirs, ours, gate=gate, goal=goal)


def _hashing(peer: peers.Measure) -> Figure:
    """Compare a near-optimal oracle at 1,024 options with a peer's local hashing."""
    mechanism = _mechanism(1024)
    column = _column(mechanism)
    theirs, ours = interleave(
        lambda: peer("pure-ldp hashing", options=1024, n=200) / 200,
        lambda: _seconds(lambda: _estimates(mechanism, column)) / REPORTS,
        ROUNDS,
    )
    name = "oracle at 1,024 options, local hashing / ours"
    return _against_peer(name, theirs, ours, gate=1e4, goal=1e5)


def _exact() -> list[Figure]:
    """Return what needs no clock: bytes and variance at 1,024 options, and 2,000 runs."""
    found = choose(ODDS, 1024).chosen
    best = SubsetSelection.from_odds(ODDS, 1024).variance
    size, ratio, spread = float(found.report_bytes), float(found.variance / best), _empirical()
    return [
        Figure("report at 1,024 options, bytes", size, size, size, "lower", 4, 2, found.name),
        Figure(
            "variance at 1,024 options / subset selection",
            *(ratio, ratio, ratio, "lower", 1.06, 1.05),
        ),
        Figure(
            "|empirical / theoretical variance - 1|, 2,000 runs",
            *(spread, spread, spread, "lower", 0.10, 0.05),
        ),
    ]


def _empirical() -> float:
    """Return how far the variance of options that nobody has is from the formula."""
    mechanism = choose(ODDS, 16).chosen.mechanism
    kernel, n, empty = kernel_of(mechanism), 1000, 14
    truth = [n // 2, n // 2, *[0] * empty]
    shares = [
        estimate_shares(kernel.simulate(truth).tolist(), mechanism).values for _ in range(2000)
    ]
    found = np.array(shares)[:, 2:].var(axis=0).mean() * n
    return abs(float(found / float(variance(mechanism))) - 1)


def _mechanism(options: int) -> Mechanism:
    return KaryRandomizedResponse(16) if options == 16 else choose(ODDS, options).chosen.mechanism


def _column(mechanism: Mechanism) -> Column:
    """Return ten million reports as they stand in a column: some thousands, over and over."""
    width = -(-(mechanism.reports - 1).bit_length() // 8)
    reports = [mechanism.perturb(place % mechanism.answers) for place in range(10_000)]
    packed = b"".join(report.to_bytes(width, "little") for report in reports)
    column = np.frombuffer(packed * (REPORTS // 10_000), dtype=np.uint8)
    return column if width == 1 else column.reshape(-1, width)


def _estimates(mechanism: Mechanism, column: Column) -> tuple[float, ...]:
    return estimate_shares(kernel_of(mechanism).count(column).tolist(), mechanism).values


def _seconds(work: Callable[[], object], times: int = 1) -> float:
    """Return the processor time of doing it once, measured over some times."""
    start = time.process_time()
    for _ in range(times):
        work()
    return (time.process_time() - start) / times


def _against_peer(
    name: str, theirs: list[float], ours: list[float], *, gate: float, goal: float
) -> Figure:
    note = f"{median(theirs) * 1e9:.4g} ns and {median(ours) * 1e9:.3g} ns each"
    return ratio_of(name, (theirs, ours), better="higher", gate=gate, goal=goal, note=note)
