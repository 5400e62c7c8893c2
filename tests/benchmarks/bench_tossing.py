"""Tossing: one answer on a device, and a million at once, beside what peers do."""

import peers
from bench_against import against, seconds
from bench_figures import Figure

from tossup.server.kernels import kernel_of
from tossup.shared.mechanisms import KaryRandomizedResponse, Mechanism, TwoCoin

ONE = 20_000  # answers one by one, so that a clock can tell
BULK = 1_000_000
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
        ]  # fmt: skip


def _one() -> float:
    coin = TwoCoin()
    return seconds(lambda: [coin.perturb(place % 2) for place in range(ONE)]) / ONE


def _bulk(mechanism: Mechanism) -> float:
    kernel = kernel_of(mechanism)
    truth = [BULK // mechanism.answers] * mechanism.answers
    return seconds(lambda: kernel.simulate(truth), 10) / BULK
