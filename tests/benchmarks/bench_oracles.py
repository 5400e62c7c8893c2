"""Choices: count and estimate against pure-ldp and multi-freq-ldpy, and the variances."""

import os
from fractions import Fraction
from statistics import median

import numpy as np
import peers
from bench_against import ROUNDS, against, seconds
from bench_device import survey_of
from bench_figures import Figure, interleave, ratio_of

from tossup.server.estimation import estimate_share, estimate_shares
from tossup.server.ingest.decoding import count_columns
from tossup.server.kernels import Column, kernel_of
from tossup.server.kinds.choosing.choice import choose, variance
from tossup.shared.mechanisms import (
    HadamardResponse,
    KaryRandomizedResponse,
    LocalHashing,
    Mechanism,
    OptimizedUnary,
    ProjectiveGeometryResponse,
    SubsetSelection,
    SymmetricUnary,
    TwoCoin,
)

ODDS = Fraction(3)
REPORTS = 10_000_000
COUNTERS = ("pure-ldp k-ary", "multi-freq-ldpy k-ary")
SIXTEEN = (
    KaryRandomizedResponse(16),
    *(
        kind.from_odds(ODDS, 16)
        for kind in (
            SubsetSelection,
            ProjectiveGeometryResponse,
            HadamardResponse,
            SymmetricUnary,
            OptimizedUnary,
            LocalHashing,
        )
    ),
)


def choices() -> list[Figure]:
    """Return the figures of yes/no questions, and of choices with 16 and with 1,024 options."""
    with peers.measuring() as peer:
        return [_yes_no(peer), _popcount(), *_counting(peer), _hashing(peer), *_exact()]


def _yes_no(peer: peers.Measure) -> Figure:
    """Compare counting and debiasing yes/no reports, as a recount does, with a peer."""
    packed = os.urandom(REPORTS // 8)
    return against(
        "1e7 yes/no count and debias, best peer / ours",
        COUNTERS,
        lambda: _each_coin(packed),
        peer=peer,
        options=2,
        n=100_000,
        gate=1e3,
        goal=5e3,
    )


def _popcount() -> Figure:
    """Compare it with a popcount of the same bits, packed: the least that counting can take."""
    packed = os.urandom(REPORTS // 8)
    words = np.frombuffer(packed, dtype="<u8")
    unpacked = np.unpackbits(np.frombuffer(packed, dtype=np.uint8))
    measured = interleave(
        lambda: seconds(lambda: np.bitwise_count(words).sum(), 10) / REPORTS,
        lambda: _each_coin(packed),
        ROUNDS,
    )
    ingest = median(_each(TwoCoin(), unpacked, 10) for _ in range(ROUNDS))
    return ratio_of(
        "popcount of the packed bits / ours",
        measured,
        better="higher",
        gate=0.2,
        goal=0.5,
        note=(
            f"ours counts them as they are stored; ingest, which sorts reports by id, has"
            f" them unpacked: {ingest / median(measured[1]):.1f} times as long"
        ),
    )


def _each_coin(packed: bytes) -> float:
    """Return the seconds of counting and debiasing, a report of two coins."""
    question = survey_of("coins", 1).questions[0]

    def work() -> float:
        (tally,) = count_columns(packed, [question], REPORTS)
        return estimate_share(tally.tolist(), question.mechanism).value

    return seconds(work, 10) / REPORTS


def _counting(peer: peers.Measure) -> list[Figure]:
    """Compare counting and debiasing choices."""
    few, many = KaryRandomizedResponse(16), choose(ODDS, 1024).chosen.mechanism
    columns = {few: _column(few), many: _column(many)}
    return [
        against(
            f"{mechanism.answers}-ary count and debias, best peer / ours",
            COUNTERS,
            lambda mechanism=mechanism: _each(mechanism, columns[mechanism]),
            peer=peer,
            options=mechanism.answers,
            n=50_000,
            gate=gate,
            goal=goal,
        )
        for mechanism, gate, goal in ((few, 50, 115), (many, 30, 57))
    ]


def _hashing(peer: peers.Measure) -> Figure:
    """Compare a near-optimal oracle at 1,024 options with a peer's local hashing."""
    mechanism = choose(ODDS, 1024).chosen.mechanism
    column = _column(mechanism)
    return against(
        "oracle at 1,024 options, local hashing / ours",
        ["pure-ldp hashing"],
        lambda: _each(mechanism, column),
        peer=peer,
        options=1024,
        n=200,
        gate=1e4,
        goal=1e5,
    )


def _exact() -> list[Figure]:
    """Return what needs no clock: bytes and variance at 1,024 options, and 2,000 runs."""
    found = choose(ODDS, 1024).chosen
    best = SubsetSelection.from_odds(ODDS, 1024).variance
    size, ratio = float(found.report_bytes), float(found.variance / best)
    spread, worst = max((_empirical(mechanism), mechanism.name) for mechanism in SIXTEEN)
    return [
        Figure("report at 1,024 options, bytes", size, size, size, "lower", 4, 2, found.name),
        Figure(
            "variance at 1,024 options / subset selection",
            *(ratio, ratio, ratio, "lower", 1.06, 1.05),
        ),
        Figure(
            "|empirical / theoretical variance - 1|, 2,000 runs",
            *(spread, spread, spread, "lower", 0.10, 0.05),
            note=f"the farthest off of {len(SIXTEEN)} mechanisms at 16 options: {worst}",
        ),
    ]


def _empirical(mechanism: Mechanism) -> float:
    """Return how far the variance of options that nobody has is from the formula."""
    kernel, n, empty = kernel_of(mechanism), 1000, 14
    truth = [n // 2, n // 2, *[0] * empty]
    shares = [
        estimate_shares(kernel.simulate(truth).tolist(), mechanism).values for _ in range(2000)
    ]
    found = np.array(shares)[:, 2:].var(axis=0).mean() * n
    return abs(float(found / float(variance(mechanism))) - 1)


def _column(mechanism: Mechanism) -> Column:
    """Return ten million reports as they stand in a column: some thousands, over and over."""
    width = -(-(mechanism.reports - 1).bit_length() // 8)
    reports = [mechanism.perturb(place % mechanism.answers) for place in range(10_000)]
    packed = b"".join(report.to_bytes(width, "little") for report in reports)
    column = np.frombuffer(packed * (REPORTS // 10_000), dtype=np.uint8)
    return column if width == 1 else column.reshape(-1, width)


def _each(mechanism: Mechanism, column: Column, times: int = 1) -> float:
    """Return the seconds of counting and debiasing, a report."""
    return seconds(lambda: _estimates(mechanism, column), times) / REPORTS


def _estimates(mechanism: Mechanism, column: Column) -> tuple[float, ...]:
    return estimate_shares(kernel_of(mechanism).count(column).tolist(), mechanism).values
