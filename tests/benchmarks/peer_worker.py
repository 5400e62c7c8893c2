"""What `peers` runs: reads [work, options, n] a line, answers with seconds of processor time.

Peers are imported where they are used: they are installed in an environment of their own.
"""

import json
import sys
import time
from collections.abc import Callable
from functools import cache
from math import log
from typing import Any

EPSILON = log(3)

Work = Callable[[], object]


@cache
def _pure_ldp(kind: str, options: int, n: int) -> tuple[Any, list[Any]]:
    """Return pure-ldp's server class and n reports."""
    from pure_ldp.frequency_oracles.direct_encoding import DEClient, DEServer
    from pure_ldp.frequency_oracles.local_hashing import LHClient, LHServer

    server, client = {"k-ary": (DEServer, DEClient), "hashing": (LHServer, LHClient)}[kind]
    device = client(EPSILON, options)
    return server, [device.privatise(place % options + 1) for place in range(n)]


def pure_ldp(kind: str, options: int, n: int) -> Work:
    """Return counting and debiasing by pure-ldp."""
    made, reports = _pure_ldp(kind, options, n)
    server = made(EPSILON, options)

    def run() -> None:
        for report in reports:
            server.aggregate(report)
        server.estimate_all(range(1, options + 1), suppress_warnings=True)

    return run


@cache
def _tossed(options: int, n: int) -> list[int]:
    from multi_freq_ldpy.pure_frequency_oracles.GRR import GRR_Client

    return [GRR_Client(place % options, options, EPSILON) for place in range(n)]


def multi_freq(kind: str, options: int, n: int) -> Work:
    """Return tossing, or counting and debiasing, by multi-freq-ldpy; compiled beforehand."""
    from multi_freq_ldpy.pure_frequency_oracles.GRR import GRR_Aggregator_MI, GRR_Client

    reports = _tossed(options, n)
    if kind == "toss":
        return lambda: [GRR_Client(place % options, options, EPSILON) for place in range(n)]
    GRR_Aggregator_MI(reports[:10], options, EPSILON)
    return lambda: GRR_Aggregator_MI(reports, options, EPSILON)


def main() -> None:
    """Answer until there are no more lines."""
    makers = {"pure-ldp": pure_ldp, "multi-freq": multi_freq}
    for line in sys.stdin:
        work, options, n = json.loads(line)
        peer, kind = work.split()
        run = makers[peer](kind, options, n)
        start = time.process_time()
        run()
        print(time.process_time() - start, flush=True)


if __name__ == "__main__":
    main()
