"""Never looser than dp-accounting's privacy loss distributions, where both answer."""

from decimal import Decimal
from random import Random

import pytest
from sweeps import each, proving

from tossup.server.accounting.bounds import bounds, tightest
from tossup.server.accounting.guarantee import Guarantee

CASES = [
    ({"0.1": 30}, "0", "1e-6"),
    ({"0.05": 365}, "0", "1e-6"),
    ({"0.01": 1000}, "0", "1e-6"),
    ({"1": 10}, "1e-8", "1e-6"),
    ({"0.5": 20, "1": 3}, "0", "1e-9"),
    ({"0.2": 15, "0.3": 15, "0.7": 2}, "1e-9", "1e-6"),
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


def drawn(seed: int) -> tuple[dict[str, int], str, str]:
    """Return mechanisms of 1 to 15 kinds, up to 500 of each, whose epsilons sum to at most 100."""
    random = Random(seed)
    while True:
        kinds = random.choice([1, 2, 3, 6, 15])
        parts = {
            str(round(10 ** random.uniform(-2, 0.5), 3)): random.choice([1, 2, 5, 20, 100, 500])
            for _ in range(kinds)
        }
        if sum(float(epsilon) * times for epsilon, times in parts.items()) <= 100:
            return parts, random.choice(["0", "1e-9", "1e-7"]), random.choice(["1e-3", "1e-6"])


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


def drawn_many(seed: int) -> tuple[dict[str, int], str, str]:
    """Return 60 to 199 kinds of three decimals, 1 to 10 of each."""
    random = Random(seed)
    kinds = random.sample(range(1, 300), random.choice([60, 120, 199]))
    parts = {str(Decimal(kind) / 1000): random.randint(1, 10) for kind in kinds}
    return parts, random.choice(["0", "1e-9"]), random.choice(["1e-3", "1e-6"])


@pytest.mark.parametrize(("parts", "delta", "slack"), proving(CASES, but=CASES[:6]))
def test_no_looser_than_the_peer(parts, delta, slack):
    """Equal, grouped and all different epsilons, with and without a delta of their own."""
    ours = tightest(
        bounds({Guarantee(Decimal(e), Decimal(delta)): k for e, k in parts.items()}, Decimal(slack))
    ).guarantee

    assert float(ours.epsilon) <= peer(parts, delta, float(ours.delta)) * (1 + 1e-9)


@pytest.mark.prove
@each("seed", range(40))
def test_no_looser_than_the_peer_over_a_sweep(seed: int):
    """Whatever the kinds, the counts, the deltas and the slack.

    Within 1e-9: the peer's transforms add errors of 1e-16, so that its epsilons, too, may be a hair
    too small to hold; smaller slacks, where that is 0.01 % of epsilon, are left to the exact tests.
    """
    parts, delta, slack = drawn(seed)
    ours = tightest(
        bounds({Guarantee(Decimal(e), Decimal(delta)): k for e, k in parts.items()}, Decimal(slack))
    ).guarantee

    assert float(ours.epsilon) <= peer(parts, delta, float(ours.delta)) * (1 + 1e-9)


@pytest.mark.prove
@pytest.mark.parametrize("seed", range(4))
def test_no_looser_than_the_peer_for_a_thousand_answers_of_many_kinds(seed: int):
    """Where nothing but the bound on a grid is left, on the grid that the peer is exact on, too."""
    parts, delta, slack = drawn_many(seed)
    found = bounds(
        {Guarantee(Decimal(e), Decimal(delta)): k for e, k in parts.items()}, Decimal(slack)
    )
    ours = tightest(found)

    assert "optimal-on-grid" == ours.name
    assert float(ours.guarantee.epsilon) <= peer(parts, delta, float(ours.guarantee.delta)) * (
        1 + 1e-9
    )
