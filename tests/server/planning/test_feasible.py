"""Several demands at once, and what surveys of two designs tell: least values, and none."""

from fractions import Fraction
from math import sqrt

import pytest
from sweeps import each

from tossup.server.estimation import cheating_detection, custom, estimate
from tossup.server.planning import cheating
from tossup.server.planning.errors import PlanningError
from tossup.server.planning.feasible import Deviation, Tail, feasible
from tossup.server.planning.sample_size import standard_error, symmetric

BOTH = [Deviation(10), Tail(100, 0.01)]


def noise_of_count(n, odds):
    """Return the standard deviation that coins give a count of respondents, from its definition."""
    low = 1 / (1 + odds)
    return sqrt(n * low * (1 - low)) / (1 - 2 * low)


@pytest.mark.parametrize("n", [50, 1000, 20_000])
def test_the_least_odds_meet_the_demands_and_a_thousandth_less_does_not(n):
    """The standard deviation decides here: 100 is ten of them."""
    found = feasible(n, BOTH).local

    assert noise_of_count(n, found.odds) <= 10 < noise_of_count(n, found.odds - 0.001)


def test_a_rare_error_may_ask_for_more():
    """And is then named as what asks for most."""
    found = feasible(1000, [Deviation(100), Tail(100, 0.01)]).local

    assert Tail(100, 0.01) == found.demand
    assert pytest.approx(100 / 2.575829, rel=1e-3) == noise_of_count(1000, found.odds)


def test_a_curators_least_epsilon_is_that_of_geometric_noise():
    """sqrt(2 a) / (1 - a) at most 10 first at epsilon 0.1414, to a ten thousandth."""
    assert pytest.approx(0.1414) == feasible(1000, BOTH).central.epsilon


def test_a_limit_below_the_least_leaves_nothing():
    """Within odds of 3 no local design of 1,000 respondents meets both."""
    found = feasible(1000, BOTH, limit=Fraction(3))

    assert found.local is None
    assert found.central is not None


def test_sampling_may_leave_nothing_at_any_epsilon():
    """Of a population's share, 1,000 respondents leave 1.58 points, whomever they trust."""
    found = feasible(1000, [Deviation(0.01)], of="share")

    assert (None, None) == (found.local, found.central)
    assert pytest.approx(1 / sqrt(4000)) == found.floor


def test_a_share_has_the_standard_error_of_the_plan():
    """At one half, where it is widest."""
    found = feasible(10_000, [Deviation(0.008)], of="share").local
    odds = Fraction(str(found.odds))

    assert standard_error(symmetric(odds), 0.5, 10_000) <= 0.008
    assert standard_error(symmetric(odds - Fraction(1, 1000)), 0.5, 10_000) > 0.008


@each(
    "ask",
    [
        lambda: feasible(0, BOTH),
        lambda: feasible(100, []),
        lambda: feasible(100, BOTH, limit=Fraction(1)),
        lambda: feasible(100, BOTH, of="sum", bounds=(1, 1)),
        lambda: Deviation(0),
        lambda: Deviation(float("nan")),
        lambda: Tail(1, 0),
        lambda: cheating.halves(Fraction(1)),
        lambda: cheating.standard_error(Fraction(3), 0.8, 0.3, 100),
        lambda: cheating.respondents(Fraction(3), 0.2, 0.0),
    ],
)
def test_what_cannot_be_demanded_is_refused(ask):
    """With an error that says why."""
    with pytest.raises(PlanningError):
        ask()


@pytest.mark.parametrize(("share", "lying"), [(0.2, 0.1), (0.5, 0.0), (0.1, 0.4)])
def test_the_planned_error_of_cheating_is_the_one_estimated(share, lying):
    """The estimator on expected counts of 2 x 10**6 respondents has the same error."""
    n, rates = 10**6, cheating.halves(Fraction(3))
    honest_no = 1 - share - lying
    first, second = ((round(n * float(p * share + q * honest_no)), n) for q, p in
                     [(q, p) for q, p in _as_fractions(rates)])  # fmt: skip
    found = cheating_detection(
        first,
        second,
        yes=tuple(q for q, _ in rates),
        no=tuple(1 - p for _, p in rates),
    )["cheating"]

    assert pytest.approx(lying, abs=1e-5) == found.value
    planned = cheating.standard_error(Fraction(3), share, lying, 2 * n)
    assert pytest.approx(planned, rel=1e-4) == found.standard_error


def _as_fractions(rates):
    return [(float(q), float(p)) for q, p in rates]


def test_both_halves_keep_the_odds():
    """No report moves anybody's odds by more than asked."""
    for q, p in cheating.halves(Fraction(3)):
        assert custom([[1 - q, q], [1 - p, p]]).odds <= 3


def test_the_fewest_respondents_reach_the_power():
    """Checked at n and n - 1."""
    n = cheating.respondents(Fraction(3), 0.2, 0.05)

    assert cheating.power(Fraction(3), 0.2, 0.05, n) >= 0.8
    assert cheating.power(Fraction(3), 0.2, 0.05, n - 1) < 0.8


def test_on_a_device_a_denial_is_like_a_no():
    """The two halves then agree on the share of those who told yes: nothing is left to detect."""
    told = 0.15  # of a true share of 0.2, a quarter denies to the device
    shares = [
        estimate(yes=round(10**6 * float(q + (p - q) * Fraction(told))), n=10**6,
                 design=custom([[1 - q, q], [1 - p, p]])).value
        for q, p in cheating.halves(Fraction(3))
    ]  # fmt: skip

    assert pytest.approx([told, told], abs=1e-5) == shares
