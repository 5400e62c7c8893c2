"""What mixing adds: golden values, brute force in exact ratios, and the local promise first."""

import json
from decimal import Decimal
from fractions import Fraction
from math import comb
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sweeps import each

from tossup.server.accounting.clones import half_binomial
from tossup.server.accounting.guarantee import Guarantee
from tossup.server.accounting.shuffling import Amplified, clones
from tossup.shared.errors import AccountingError

GOLDEN = json.loads(Path(__file__).with_name("golden_accounting.json").read_text())["clones"]
COIN = Guarantee.of_odds(Fraction(3))
MICRO = Decimal("1e-6")


def true_delta(odds0: Fraction, reports: int, bound: Fraction) -> Fraction:
    """Sum over every pair of counts, with exact ratios (theorem 3.2 of the source)."""
    clone, truth = 1 / odds0, odds0 / (1 + odds0)
    total = Fraction(0)
    for c in range(reports):
        chance = comb(reports - 1, c) * clone**c * (1 - clone) ** (reports - 1 - c)
        half = [Fraction(comb(c, a), 2**c) for a in range(c + 1)]
        for seen in range(c + 2):
            more = half[seen - 1] if seen else Fraction(0)
            same = half[seen] if seen <= c else Fraction(0)
            here, there = truth * more + (1 - truth) * same, (1 - truth) * more + truth * same
            total += chance * max(Fraction(0), here - bound * there)
    return total


def test_it_works():
    """Two coins, ten thousand people: 1.0987 always, 0.0609 for those who trust the mixing."""
    found = clones(COIN, 10_000, MICRO)

    assert (Decimal("1.0987"), Decimal(0)) == found.local.shown()
    assert (Decimal("0.0609"), MICRO) == found.mixed.shown()
    assert "whoever mixes the reports" in found.trusts


def test_the_local_promise_comes_first():
    """Whoever prints the fields in order prints the promise that needs no trust first."""
    assert ["local", "mixed"] == list(Amplified.__dataclass_fields__)[:2]


@each("row", GOLDEN["rows"])
def test_the_exact_sum_has_the_golden_values(row):
    """Eight rows, up to a million reports: within 1e-9, and not below by more than rounding."""
    found = clones(Guarantee(Decimal(row["epsilon"])), row["reports"], Decimal(row["delta"])).mixed

    assert row["exact"] == pytest.approx(float(found.epsilon), rel=1e-9)
    assert row["exact"] * (1 - 1e-13) <= float(found.epsilon)


@each("row", GOLDEN["rows"])
def test_the_exact_sum_is_below_the_closed_form(row):
    """The same rows by the authors' closed form are looser."""
    local, delta = Guarantee(Decimal(row["epsilon"])), Decimal(row["delta"])

    assert float(clones(local, row["reports"], delta).mixed.epsilon) < row["closed"]


def test_the_sum_lies_within_the_published_bracket():
    """The authors' own code brackets one value from below and above."""
    published = GOLDEN["published"]
    found = clones(
        Guarantee(Decimal(published["eps0"])),
        published["n"],
        Decimal(repr(published["delta"])),
    )
    low = published["numerical_lower_step100_iters10"]
    high = published["numerical_upper_step100_iters10"]

    assert low <= float(found.mixed.epsilon) <= high


@settings(max_examples=40)
@given(
    st.integers(3, 40),
    st.integers(1, 24),
    st.sampled_from(["0.1", "1e-3", "1e-6", "1e-9", "1e-29"]),
)
def test_the_sum_is_what_enumeration_finds(halves, reports, delta):
    """At the epsilon returned the true delta is within the one asked; slightly below it is not."""
    odds0 = Fraction(halves, 2)
    found = clones(Guarantee.of_odds(odds0), reports, Decimal(delta))
    bound = min(Fraction(found.mixed.odds), odds0)

    assert true_delta(odds0, reports, bound) <= Fraction(delta)
    lower = 1 + (bound - 1) * (1 - Fraction(1, 10**8))
    assert bound == 1 or true_delta(odds0, reports, lower) > Fraction(delta) * (
        1 - Fraction(1, 10**8)
    )


@pytest.mark.parametrize("n", [1001, 5000, 80_000])
def test_single_chances_are_right_to_fourteen_digits(n):
    """The saddle point agrees with exact integers over the whole range that can matter."""
    for k in [n // 2, n // 2 + 1, round(0.51 * n), round(0.53 * n)]:
        exact = Fraction(comb(n, k), 2**n)

        assert float(exact) == pytest.approx(half_binomial(n, k), rel=2e-13)


@each("epsilon", ["0", "1e-12", "1e-9", "1e-6", "20"])
@each("reports", [1, 2, 1000])
def test_mixing_never_costs(epsilon, reports):
    """One report alone, tiny and large epsilons: never above the local promise."""
    local = Guarantee(Decimal(epsilon))

    found = clones(local, reports, MICRO)

    assert found.mixed.epsilon <= local.epsilon
    assert local == found.local


@each(
    "local, reports, delta",
    [
        (Guarantee(Decimal(1), MICRO), 100, MICRO),
        (Guarantee(Decimal(21)), 100, MICRO),
        (COIN, 0, MICRO),
        (COIN, 10**10, MICRO),
        (COIN, 100, Decimal(0)),
        (COIN, 100, Decimal(1)),
        (COIN, 100, Decimal("NaN")),
        (COIN, 100, Decimal("1e-31")),
    ],
)
def test_what_the_sum_cannot_bound_is_refused(local, reports, delta):
    """A local delta, no reports, a delta of 0: typed errors, not figures."""
    with pytest.raises(AccountingError):
        clones(local, reports, delta)
