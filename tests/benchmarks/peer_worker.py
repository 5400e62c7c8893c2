"""What `peers` runs: reads [work, options, n] a line, answers with seconds of processor time."""

import json
import sys
import time
from collections.abc import Callable
from functools import cache
from math import log

from multi_freq_ldpy.pure_frequency_oracles.GRR import GRR_Aggregator_MI, GRR_Client
from pure_ldp.frequency_oracles.direct_encoding import DEClient, DEServer
from pure_ldp.frequency_oracles.local_hashing import LHClient, LHServer

EPSILON = log(3)


@cache
def _reports(work: str, options: int, n: int) -> list:
    if work == "multi-freq k-ary":
        return [GRR_Client(place % options, options, EPSILON) for place in range(n)]
    kind = DEClient if work == "pure-ldp k-ary" else LHClient
    client = kind(EPSILON, options)
    return [client.privatise(place % options + 1) for place in range(n)]


def _count(work: str, options: int, n: int) -> Callable[[], object]:
    reports = _reports(work, options, n)
    if work == "multi-freq k-ary":
        GRR_Aggregator_MI(reports[:10], options, EPSILON)  # compiles at the first call
        return lambda: GRR_Aggregator_MI(reports, options, EPSILON)
    server = (DEServer if work == "pure-ldp k-ary" else LHServer)(EPSILON, options)

    def run() -> None:
        for report in reports:
            server.aggregate(report)
        server.estimate_all(range(1, options + 1), suppress_warnings=True)

    return run


def _toss(options: int, n: int) -> Callable[[], object]:
    GRR_Client(0, options, EPSILON)
    return lambda: [GRR_Client(place % options, options, EPSILON) for place in range(n)]


def main() -> None:
    for line in sys.stdin:
        work, options, n = json.loads(line)
        run = _toss(options, n) if work == "multi-freq toss" else _count(work, options, n)
        start = time.process_time()
        run()
        print(time.process_time() - start, flush=True)


if __name__ == "__main__":
    main()
