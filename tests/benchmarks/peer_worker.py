"""What `peers` runs: reads [work, options, n] a line, answers with seconds of processor time.

Peers are imported where they are used: they are installed in an environment of their own. What
does not run is answered with an error, as text.
"""

import json
import sys
import time
from collections.abc import Callable
from functools import cache
from math import log
from typing import Any

ODDS = 3
EPSILON = log(ODDS)

Work = Callable[[], object]


def pure_ldp(kind: str, options: int, n: int) -> Work:
    """Return tossing, or counting and debiasing, by pure-ldp; its options start at 1."""
    from pure_ldp.frequency_oracles.direct_encoding import DEClient

    if kind == "toss":
        device = DEClient(EPSILON, options)
        return lambda: [device.privatise(place % options + 1) for place in range(n)]
    made, reports = _pure_ldp_reports(kind, options, n)
    server = made(EPSILON, options)

    def run() -> None:
        for report in reports:
            server.aggregate(report)
        server.estimate_all(range(1, options + 1), suppress_warnings=True)

    return run


@cache
def _pure_ldp_reports(kind: str, options: int, n: int) -> tuple[Any, list[Any]]:
    """Return pure-ldp's server class and n reports."""
    from pure_ldp.frequency_oracles.direct_encoding import DEClient, DEServer
    from pure_ldp.frequency_oracles.local_hashing import LHClient, LHServer

    server, client = {"k-ary": (DEServer, DEClient), "hashing": (LHServer, LHClient)}[kind]
    device = client(EPSILON, options)
    return server, [device.privatise(place % options + 1) for place in range(n)]


def multi_freq(kind: str, options: int, n: int) -> Work:
    """Return tossing, or counting and debiasing, by multi-freq-ldpy; compiled beforehand."""
    from multi_freq_ldpy.pure_frequency_oracles.GRR import GRR_Aggregator_MI, GRR_Client

    reports = _multi_freq_reports(options, n)
    if kind == "toss":
        return lambda: [GRR_Client(place % options, options, EPSILON) for place in range(n)]
    GRR_Aggregator_MI(reports[:10], options, EPSILON)
    return lambda: GRR_Aggregator_MI(reports, options, EPSILON)


@cache
def _multi_freq_reports(options: int, n: int) -> list[int]:
    from multi_freq_ldpy.pure_frequency_oracles.GRR import GRR_Client

    return [GRR_Client(place % options, options, EPSILON) for place in range(n)]


def opendp(kind: str, options: int, n: int) -> Work:
    """Return tossing one by one, or a whole vector of bits at once, by opendp."""
    import opendp.prelude as dp

    dp.enable_features("contrib")
    if kind == "bits":
        domain = dp.bitvector_domain(max_weight=n), dp.discrete_distance()
        vector = dp.m.make_randomized_response_bitvec(*domain, f=2 / (ODDS + 1))
        packed = bytes([0b01010101]) * (n // 8)
        return lambda: vector(packed)
    if options == 2:
        coin = dp.m.make_randomized_response_bool(prob=ODDS / (ODDS + 1))
        return lambda: [coin(place % 2 == 1) for place in range(n)]
    keep = ODDS / (ODDS + options - 1)
    choice = dp.m.make_randomized_response(categories=list(range(options)), prob=keep)
    return lambda: [choice(place % options) for place in range(n)]


def diffprivlib(kind: str, options: int, n: int) -> Work:
    """Return tossing by diffprivlib, whose only answers are two labels."""
    from diffprivlib.mechanisms import Binary

    coin = Binary(epsilon=EPSILON, value0="no", value1="yes")
    labels = ("no", "yes")
    return lambda: [coin.randomise(labels[place % 2]) for place in range(n)]


MAKERS = {
    "pure-ldp": pure_ldp,
    "multi-freq-ldpy": multi_freq,
    "opendp": opendp,
    "diffprivlib": diffprivlib,
}


def seconds(work: str, options: int, n: int) -> float:
    """Return the processor time of doing it once."""
    peer, kind = work.split()
    run = MAKERS[peer](kind, options, n)
    start = time.process_time()
    run()
    return time.process_time() - start


def main() -> None:
    """Answer until there are no more lines."""
    for line in sys.stdin:
        try:
            answer: object = seconds(*json.loads(line))
        except Exception as error:
            answer = f"{type(error).__name__}: {error}"
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
