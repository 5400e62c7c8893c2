"""Never looser than dp-accounting's privacy loss distributions, where both answer."""

import json
from decimal import Decimal
from random import Random

import pytest
from peer_accounting import FEW, KEPT, MANY, peer, tightest_of
from sweeps import each

from tossup.server.accounting.bounds import bounds, tightest
from tossup.server.accounting.guarantee import Guarantee


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


def drawn_many(seed: int) -> tuple[dict[str, int], str, str]:
    """Return 60 to 199 kinds of three decimals, 1 to 10 of each."""
    random = Random(seed)
    kinds = random.sample(range(1, 300), random.choice([60, 120, 199]))
    parts = {str(Decimal(kind) / 1000): random.randint(1, 10) for kind in kinds}
    return parts, random.choice(["0", "1e-9"]), random.choice(["1e-3", "1e-6"])


@each("parts, delta, slack", FEW)
def test_no_looser_than_the_peer(parts, delta, slack):
    """Equal and grouped epsilons, with and without a delta of their own."""
    ours = tightest_of(parts, delta, slack)

    assert float(ours.epsilon) <= peer(parts, delta, float(ours.delta)) * (1 + 1e-9)


@pytest.mark.prove
def test_no_looser_than_what_the_peer_took_minutes_for():
    """Up to 4,000 mechanisms of 199 kinds; the peer's epsilons are kept, with their source."""
    kept = json.loads(KEPT.read_text(encoding="utf-8"))["of"]

    for case, theirs in zip(MANY, kept, strict=True):
        ours = tightest_of(*case)
        assert float(ours.delta) <= theirs["delta"], f"compute them anew: {case}"
        assert float(ours.epsilon) <= theirs["epsilon"] * (1 + 1e-9), case


@pytest.mark.prove
@each("seed", range(40))
def test_no_looser_than_the_peer_over_a_sweep(seed: int):
    """Whatever the kinds, the counts, the deltas and the slack.

    Within 1e-9: the peer's transforms add errors of 1e-16, so that its epsilons, too, may be a hair
    too small to hold; smaller slacks, where that is 0.01 % of epsilon, are left to the exact tests.
    """
    parts, delta, slack = drawn(seed)
    ours = tightest_of(parts, delta, slack)

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
