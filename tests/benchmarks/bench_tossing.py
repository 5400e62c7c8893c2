"""Tossing: one answer on a device, and a million at once, beside what peers do."""

import time

import numpy as np
import peers
from bench_against import against, seconds
from bench_figures import Figure

from tossup.server.kernels import kernel_of
from tossup.server.kernels.tossing.source import seeded
from tossup.shared.mechanisms import (
    KaryRandomizedResponse,
    Mechanism,
    PrivUnit,
    SubsetSelection,
    TwoCoin,
)

ONE = 20_000  # answers one by one, so that a clock can tell
BULK = 1_000_000
REHEARSED = 10_000  # reports of one request of a rehearsal
INSECURE = ("pure-ldp toss", "multi-freq-ldpy toss")  # from a generator that can be foretold


def tossing() -> list[Figure]:
    """Return the figures of one yes/no answer, and of a million answers in bulk.

    No peer tosses many answers of many people at once but opendp, as a vector of bits; from the
    others it is one call after the other. Ours are tossed and counted.
    """
    with peers.measuring() as peer:
        return [
            against(
                "one yes/no answer, opendp / ours",
                ["opendp toss"], _one, peer=peer, options=2, n=2000, gate=30, goal=100,
            ),
            against(
                "one yes/no answer, ours / fastest insecure peer",
                [*INSECURE, "diffprivlib toss"], _one,
                peer=peer, options=2, n=ONE, better="lower", gate=5, goal=3,
            ),
            against(
                "1e6 yes/no answers in bulk, best peer / ours",
                [*INSECURE, "opendp bits", "diffprivlib toss"], lambda: _bulk(TwoCoin()),
                peer=peer, options=2, n=BULK, gate=10, goal=100,
            ),
            against(
                "1e6 16-ary answers in bulk, best peer / ours",
                INSECURE, lambda: _bulk(KaryRandomizedResponse(16)),
                peer=peer, options=16, n=BULK, gate=20, goal=50,
            ),
            _rehearsed(),
        ]  # fmt: skip


def _rehearsed() -> Figure:
    """Return how fast made-up people are tossed by the mechanisms that take longest."""
    slowest = {
        "subsets of 1,024": SubsetSelection(1024, 509, 101, 100),
        "directions in 256 dimensions": PrivUnit(256, 1024, cap=3000),
    }
    rates = {name: _reports_a_second(made) / 50_000 for name, made in slowest.items()}
    name, least = min(rates.items(), key=lambda rate: rate[1])
    return Figure("reports of a rehearsal a second of a processor / 50,000", least, least, least,
                  "higher", 1, 2, f"slowest: {name}")  # fmt: skip


def _reports_a_second(mechanism: Mechanism) -> float:
    """Return the best of some rounds, with the coins of a rehearsal."""
    kernel, held, took = kernel_of(mechanism), np.zeros(REHEARSED, dtype=np.int64), []
    with seeded(1):
        for _ in range(5):
            start = time.process_time()
            kernel.perturb_each([0], held)
            took.append(time.process_time() - start)
    return REHEARSED / min(took)


def _one() -> float:
    coin = TwoCoin()
    return seconds(lambda: [coin.perturb(place % 2) for place in range(ONE)]) / ONE


def _bulk(mechanism: Mechanism) -> float:
    kernel = kernel_of(mechanism)
    truth = [BULK // mechanism.answers] * mechanism.answers
    return seconds(lambda: kernel.simulate(truth), 10) / BULK
