"""What dp-accounting makes of compositions, and the epsilons that it took minutes to compute.

Run as a script, it writes ``peer_epsilons.json`` anew: those of `MANY`, at the whole deltas that
our own bounds have. The file names the version that computed them.
"""

import json
from decimal import Decimal
from importlib.metadata import version
from pathlib import Path

import pytest

from tossup.server.accounting.bounds import bounds, tightest
from tossup.server.accounting.guarantee import Guarantee

KEPT = Path(__file__).with_name("peer_epsilons.json")

#: Epsilons and how often each comes, the delta of each, and the slack.
FEW = [
    ({"0.1": 30}, "0", "1e-6"),
    ({"0.05": 365}, "0", "1e-6"),
    ({"0.01": 1000}, "0", "1e-6"),
    ({"1": 10}, "1e-8", "1e-6"),
    ({"0.5": 20, "1": 3}, "0", "1e-9"),
    ({"0.2": 15, "0.3": 15, "0.7": 2}, "1e-9", "1e-6"),
]
#: Compositions of so many kinds that the peer takes half a minute for each.
MANY = [
    ({str(Decimal(i) / 100): 1 for i in range(5, 35)}, "0", "1e-6"),
    ({str(Decimal(i) / 1000): 1 for i in range(50, 150)}, "0", "1e-6"),
    ({str(Decimal(i) / 10000): 2 for i in range(100, 400)}, "0", "1e-6"),
    ({str(Decimal(i) / 100): 100 for i in range(1, 11)}, "0", "1e-3"),
    ({str(3 * Decimal(i) / 1000): 1 for i in range(1, 200)}, "0", "1e-6"),
    ({str(Decimal(i) / 1000): 10 for i in range(1, 200)}, "0", "1e-3"),
    ({str(Decimal(i) / 1000): 10 for i in range(1, 200)}, "0", "1e-6"),
    ({str(Decimal(i) / 1000): 20 for i in range(1, 200)}, "0", "1e-6"),
    ({str(Decimal(i) / 10000): 10 for i in range(1, 200)}, "0", "1e-6"),
    ({str(Decimal(i) / 500): 5 for i in range(1, 200)}, "1e-9", "1e-3"),
]


def tightest_of(parts: dict[str, int], delta: str, slack: str) -> Guarantee:
    """Return our tightest guarantee for all mechanisms together."""
    each = {Guarantee(Decimal(e), Decimal(delta)): times for e, times in parts.items()}
    return tightest(bounds(each, Decimal(slack))).guarantee


def peer(parts: dict[str, int], delta: str, whole_delta: float) -> float:
    """Return the peer's epsilon for the same mechanisms at the same whole delta."""
    pld = pytest.importorskip("dp_accounting.pld.privacy_loss_distribution")
    common = pytest.importorskip("dp_accounting.pld.common")
    composed = None
    for epsilon, times in parts.items():
        promise = common.DifferentialPrivacyParameters(float(epsilon), float(delta))
        one = pld.from_privacy_parameters(promise).self_compose(times)
        composed = one if composed is None else composed.compose(one)
    return composed.get_epsilon_for_delta(whole_delta)


if __name__ == "__main__":
    found = []
    for parts, delta, slack in MANY:
        whole = float(tightest_of(parts, delta, slack).delta)
        found.append({"delta": whole, "epsilon": peer(parts, delta, whole)})
    source = f"dp-accounting {version('dp-accounting')}, privacy loss distributions"
    KEPT.write_text(json.dumps({"source": source, "of": found}, indent=1) + "\n")
