"""What several answers cost together: golden values, brute force, and never too little."""

import json
from decimal import Decimal
from fractions import Fraction
from itertools import product
from math import exp, expm1, log, prod, sqrt
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sweeps import each, proving

from tossup.server.accounting.bounds import SOURCES, bounds, left_out, tightest
from tossup.server.accounting.composition import (
    advanced,
    min_of_three,
    sequential,
)
from tossup.server.accounting.guarantee import Guarantee
from tossup.server.accounting.loss_grid import MOST_MECHANISMS, optimal_on_grid
from tossup.server.accounting.optimal import MOST_RUNS, optimal, runs
from tossup.shared.errors import AccountingError
from tossup.shared.odds import compose

GOLDEN = json.loads(Path(__file__).with_name("golden_accounting.json").read_text())
PURE = Guarantee(Decimal("0.1"))
MICRO = Decimal("1e-6")


def promise(epsilon: str) -> Guarantee:
    return Guarantee.of_odds(Fraction(3)) if epsilon == "ln3" else Guarantee(Decimal(epsilon))


def counted(epsilons: list[Decimal]) -> dict[Guarantee, int]:
    return {Guarantee(epsilon): epsilons.count(epsilon) for epsilon in epsilons}


def true_delta(odds: list[Fraction], bound: Fraction) -> Fraction:
    """Sum over all runs of lies, with exact ratios (Murtagh and Vadhan 2016, theorem 1.5)."""
    total = Fraction(0)
    for truthful in product((True, False), repeat=len(odds)):
        here = prod((o if t else 1 for o, t in zip(odds, truthful, strict=True)), start=Fraction(1))
        there = prod(odds, start=Fraction(1)) / here
        total += max(Fraction(0), here - bound * there)
    return total / prod((1 + o for o in odds), start=Fraction(1))


def test_it_works():
    """Thirty answers of epsilon 0.1 cost 3 for sure, and 2.35 but for one in a million."""
    found = bounds({PURE: 30}, MICRO)

    assert ("sequential", Decimal("3.0000"), Decimal(0)) == (
        found[0].name,
        *found[0].guarantee.shown(),
    )
    assert ("optimal", Decimal("2.3459"), MICRO) == (
        tightest(found).name,
        *tightest(found).guarantee.shown(),
    )


@each("row", GOLDEN["equal"]["rows"])
def test_equal_mechanisms_reach_the_golden_optimum(row):
    """Nine rows of Kairouz, Oh and Viswanath's optimum, to 1e-9."""
    found = optimal({promise(row["epsilon"]): row["times"]}, Decimal(row["slack"]))

    assert row["optimal"] == pytest.approx(float(found.epsilon), rel=1e-9)
    assert Decimal(row["slack"]) == found.delta


@each("row", [row for row in GOLDEN["equal"]["rows"] if row["advanced"]])
def test_advanced_composition_has_the_golden_values(row):
    """Dwork, Rothblum and Vadhan's bound, to 1e-9."""
    found = advanced(promise(row["epsilon"]), row["times"], Decimal(row["slack"]))

    assert row["advanced"] == pytest.approx(float(found.epsilon), rel=1e-9)


@pytest.mark.parametrize("row", GOLDEN["different"]["rows"])
def test_different_mechanisms_reach_the_golden_optimum(row):
    """Three rows of Murtagh and Vadhan's optimum, to 1e-9."""
    parts = counted([Decimal(epsilon) for epsilon in row["epsilons"]])

    assert row["optimal"] == pytest.approx(
        float(optimal(parts, Decimal(row["slack"])).epsilon), rel=1e-9
    )


@each("row", [row for row in GOLDEN["equal"]["rows"] if row["peer"]])
def test_the_optimum_is_below_what_the_peer_had(row):
    """dp-accounting 0.6.0 on its grid of 1e-4, as recorded; to 1e-14, what doubles tell apart."""
    found = optimal({promise(row["epsilon"]): row["times"]}, Decimal(row["slack"]))

    assert float(found.epsilon) <= row["peer"] * (1 + 1e-14)


@each("row", GOLDEN["equal"]["rows"])
def test_equal_mechanisms_add_up_to_the_golden_sum(row):
    """Basic composition of equal ones, to 1e-14."""
    found = sequential({promise(row["epsilon"]): row["times"]})

    assert row["sum"] == pytest.approx(float(found.epsilon), rel=1e-14)


@pytest.mark.parametrize("row", GOLDEN["different"]["rows"])
def test_different_mechanisms_add_up_to_the_golden_sum(row):
    """Basic composition of different ones, to 1e-14."""
    found = sequential(counted([Decimal(epsilon) for epsilon in row["epsilons"]]))

    assert row["sum"] == pytest.approx(float(found.epsilon), rel=1e-14)


@settings(max_examples=40)
@given(
    st.lists(st.integers(2, 12), min_size=1, max_size=6),
    st.fractions(Fraction(1, 10**6), Fraction(1, 2), max_denominator=10**6),
)
def test_the_optimum_is_what_enumeration_finds(halves, slack):
    """At the optimum the true delta is within the slack; a hair below it is not."""
    odds = [Fraction(half, 2) + Fraction(1, 2) for half in halves]
    wanted = Decimal(slack.numerator) / Decimal(slack.denominator)
    parts = counted([Guarantee.of_odds(one).epsilon for one in odds])

    reached = Fraction(optimal(parts, wanted).odds)

    assert true_delta(odds, reached) <= Fraction(wanted)
    assert reached == 1 or true_delta(odds, reached * (1 - Fraction(1, 10**25))) > Fraction(wanted)


def test_the_grid_stays_above_the_optimum_and_close_to_it():
    """Thirty different mechanisms that the exact sum can still tell apart in three groups."""
    parts = {Guarantee(Decimal(tenths) / 10): 10 for tenths in (1, 2, 3)}
    exact, bound = (way(parts, MICRO).epsilon for way in (optimal, optimal_on_grid))

    assert exact <= bound <= exact * Decimal("1.0001")


@each(
    "epsilons",
    [{"0.1": 300, "0.2": 30, "0.7": 9}, {"0.03": 40, "0.45": 12}, {"1.5": 7, "0.25": 60}],
)
@each("slack", ["1e-3", "1e-6", "1e-12"])
def test_epsilons_that_lie_on_the_grid_cost_nothing_more(epsilons, slack):
    """Multiples of a common step: the bound on the grid is the optimum, to 1e-11."""
    parts = {Guarantee(Decimal(epsilon)): times for epsilon, times in epsilons.items()}
    exact, bound = (way(parts, Decimal(slack)).epsilon for way in (optimal, optimal_on_grid))

    assert exact <= bound <= exact * (1 + Decimal("1e-11"))


@pytest.mark.parametrize("seed", proving(range(30), but=range(0, 30, 4)))
def test_the_grid_is_never_below_the_optimum(seed: int):
    """On a grid and off it, with losses of 0, with large ones, and for every slack."""
    random = Random(seed)
    unit = random.choice([Decimal(1) / 7, Decimal("0.01"), Decimal("0.5"), Decimal("0.001")])
    parts = {
        Guarantee(unit * random.choice([0, 1, 2, 3, 17, 40])): random.choice([1, 2, 9, 30])
        for _ in range(4)
    } | {Guarantee(unit): 1}
    slack = Decimal(random.choice(["0.5", "1e-2", "1e-6", "1e-15", "1e-60", "1e-200"]))
    exact, bound = (way(parts, slack).epsilon for way in (optimal, optimal_on_grid))

    assert exact <= bound <= exact * Decimal("1.0001") + Decimal("1e-9")


@pytest.mark.prove
@pytest.mark.parametrize("slack", ["1e-2", "1e-6", "1e-12", "1e-200"])
def test_the_optimum_is_found_whichever_way_halves_are_dealt(slack):
    """Thirty different epsilons, two to the 30 runs: the same as on the finest grid, and exact."""
    parts = {Guarantee(Decimal(i) / 100): 1 for i in range(5, 35)}
    least = optimal(parts, Decimal(slack)).epsilon

    assert runs(parts) == 2 << 15
    assert least <= optimal_on_grid(parts, Decimal(slack)).epsilon <= least * Decimal("1.00000001")


@each(
    "parts, slack, missing",
    [
        ({PURE: 30}, MICRO, set()),
        ({PURE: 30}, Decimal(0), {"advanced", "min-of-three", "optimal", "optimal-on-grid"}),
        ({PURE: 200_000}, MICRO, {"optimal", "optimal-on-grid"}),
        ({Guarantee(Decimal(16)): 2}, MICRO, {"advanced"}),
        ({Guarantee(Decimal(i)): 1 for i in range(1, 41)}, MICRO, {"advanced", "optimal"}),
        (
            {Guarantee(Decimal(i)): 1 for i in range(1, 41)},
            Decimal("1e-250"),
            {"advanced", "optimal", "optimal-on-grid"},
        ),
    ],
)
def test_no_bound_is_left_out_without_a_word(parts, slack, missing):
    """What is not given is named with a reason; what is given is not; nothing else is missing."""
    given = [bound.name for bound in bounds(parts, slack)]

    assert missing == set(left_out(parts, slack))
    assert set(SOURCES) - {"optimal-on-grid"} <= {*given, *missing}
    assert set(given).isdisjoint(missing)
    assert ("optimal" in given) != ("optimal-on-grid" in {*given, *missing})


def test_many_different_mechanisms_are_bounded_on_the_grid():
    """Forty different epsilons are 2**40 runs; the bound is still far below the closed form."""
    parts = {Guarantee(Decimal(i) / 100): 1 for i in range(5, 45)}
    found = {bound.name: bound.guarantee.epsilon for bound in bounds(parts, MICRO)}

    assert ["sequential", "min-of-three", "optimal-on-grid"] == list(found)
    assert found["optimal-on-grid"] < Decimal("8.08") < found["min-of-three"]


def test_epsilons_too_large_for_floats_are_still_bounded_on_the_grid():
    """Where probabilities vanish in floating point, the bound falls back to the sum."""
    found = optimal_on_grid({Guarantee(Decimal(700)): 2, Guarantee(Decimal(800)): 1}, MICRO)

    assert Decimal(2199) < found.epsilon <= Decimal(2200)


@settings(max_examples=60)
@given(
    st.lists(st.decimals("0.01", "2", places=2), min_size=1, max_size=5),
    st.decimals("0", "0.001", places=4),
    st.sampled_from([Decimal("1e-9"), MICRO, Decimal("0.01")]),
)
def test_no_bound_is_below_the_optimum(epsilons, delta, slack):
    """Every named bound holds, so none is below the least that does."""
    parts = {Guarantee(epsilon, delta): epsilons.count(epsilon) for epsilon in epsilons}
    found = bounds(parts, slack)
    least = next(bound.guarantee for bound in found if bound.name == "optimal")

    assert all(least.epsilon <= bound.guarantee.epsilon for bound in found)
    assert least == optimal(parts, slack)


@pytest.mark.parametrize(
    ("epsilons", "slack"),
    [(["0.1"] * 30, 1e-6), (["0.01"] * 9, 1e-9), (["0.2", "0.5"] * 10, 0.01), (["2"] * 3, 1e-6)],
)
def test_the_closed_form_is_the_least_of_three(epsilons, slack):
    """The theorem's three expressions in plain floating point."""
    values = [float(epsilon) for epsilon in epsilons]
    drift = sum(e * expm1(e) / (exp(e) + 1) for e in values)
    squares = sum(e * e for e in values)
    softened = drift + sqrt(2 * squares * log(exp(1) + sqrt(squares) / slack))
    plain = drift + sqrt(2 * squares * log(1 / slack))

    found = min_of_three(counted([Decimal(e) for e in epsilons]), Decimal(repr(slack)))

    assert min(sum(values), softened, plain) == pytest.approx(float(found.epsilon), rel=1e-12)


def test_sums_of_what_was_written_are_exact():
    """Decimals add up without rounding; odds multiply without rounding."""
    parts = {Guarantee(Decimal("0.1"), Decimal("1e-9")): 30, Guarantee(Decimal("0.7")): 1}

    assert Guarantee(Decimal("3.7"), Decimal("3e-8")) == sequential(parts)
    assert Fraction(3) ** 30 == compose([Fraction(3)] * 30)


def test_deltas_join_without_losing_the_smallest():
    """1 - (1 - 1e-30)**2 is 2e-30 - 1e-60, rounded up; floats would say 0."""
    found = optimal({Guarantee(Decimal(1), Decimal("1e-30")): 1}, Decimal("1e-30"))

    lowered = Fraction(2, 10**30) - Fraction(found.delta)
    assert Fraction(1, 10**60) * (1 - Fraction(1, 10**8)) < lowered <= Fraction(1, 10**60)


@given(st.fractions(min_value=1, max_value=10**6))
def test_a_promise_made_of_odds_covers_them(odds: Fraction):
    """e**epsilon is at least the odds it was made of, and hardly more."""
    found = Fraction(Guarantee.of_odds(odds).odds)

    assert odds <= found <= odds * (1 + Fraction(1, 10**38))


@each(
    "epsilon, delta",
    [
        (Decimal("NaN"), Decimal(0)),
        (Decimal("sNaN"), Decimal(0)),
        (Decimal("Infinity"), Decimal(0)),
        (Decimal("-0.1"), Decimal(0)),
        (0.1, Decimal(0)),
        (True, Decimal(0)),
        (Decimal(1), Decimal("NaN")),
        (Decimal(1), Decimal("-1e-9")),
        (Decimal(1), Decimal(1)),
        (Decimal(1), 1e-6),
    ],
)
def test_what_is_no_promise_is_refused(epsilon, delta):
    """NaN, infinite and negative epsilons, deltas outside [0, 1), and floats."""
    with pytest.raises(AccountingError):
        Guarantee(epsilon, delta)


@pytest.mark.parametrize("slack", ["NaN", "-1e-9", "1", "2", "Infinity"])
def test_a_slack_that_is_no_delta_is_refused(slack):
    """Every bound refuses it, the exact optimum too."""
    for way in (bounds, optimal, min_of_three, optimal_on_grid):
        with pytest.raises(AccountingError):
            way({PURE: 2}, Decimal(slack))


@pytest.mark.parametrize("times", [0, -1, True, 2.0])
def test_counts_that_are_none_are_refused(times):
    """A mechanism is used a positive whole number of times."""
    for way in (sequential, bounds):
        with pytest.raises(AccountingError, match="from 1 to"):
            way({PURE: times})


def test_nothing_to_compose_is_refused():
    """No mechanism at all is a mistake, not a cost of 0."""
    with pytest.raises(AccountingError):
        sequential({})


def test_deltas_that_reach_one_promise_nothing():
    """Two deltas of a half sum to 1."""
    with pytest.raises(AccountingError, match="promise nothing"):
        sequential({Guarantee(Decimal(1), Decimal("0.5")): 2})


def test_work_without_end_is_refused():
    """The exact sum and the grid say where they stop, and what to use instead."""
    many = {Guarantee(Decimal(i)): 1 for i in range(1, 33)}

    assert runs(many) > MOST_RUNS
    with pytest.raises(AccountingError, match="optimal_on_grid"):
        optimal(many, MICRO)
    with pytest.raises(AccountingError, match="grid helps up to"):
        optimal_on_grid({PURE: MOST_MECHANISMS + 1}, MICRO)


def test_without_slack_epsilons_only_add_up():
    """At delta 0 the sum is the optimum, and no other bound is offered."""
    assert ["sequential"] == [bound.name for bound in bounds({PURE: 30})]
    assert Decimal("3.0") == optimal({PURE: 30}, Decimal(0)).epsilon
    with pytest.raises(AccountingError, match="above 0"):
        min_of_three({PURE: 2}, Decimal(0))
