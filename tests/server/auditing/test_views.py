"""What `tossup audit` looks at where reports are too many: events, and their exact probabilities.

The probabilities of every view are those of the channel, by adding it up at sizes where it is
small; those of vectors are compared with other ways to find them.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import pairwise, product

import numpy as np
import pytest
from scipy import integrate
from sweeps import each, proving

from tossup.server.auditing import by_reports, thorough_trials, view_of
from tossup.server.auditing.events import View
from tossup.server.auditing.viewing import noise_components
from tossup.server.auditing.viewing.cap_components import of_cap
from tossup.server.auditing.viewing.components import view_components
from tossup.server.auditing.viewing.gaussian_components import of_gaussian
from tossup.server.auditing.viewing.noise_components import of_noise
from tossup.server.auditing.viewing.sets import view_sets
from tossup.server.auditing.viewing.tables import chosen_answers, view_table
from tossup.server.auditing.viewing.texts import view_texts
from tossup.server.catalogue import design
from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms import (
    MECHANISMS,
    DiscreteGaussian,
    EntryGaussian,
    EntryLaplace,
    GridMechanism,
    KaryRandomizedResponse,
    LocalHashing,
    Mechanism,
    OptimizedUnary,
    PerOptionBits,
    PrefixExtending,
    PrivUnit,
    RankedChoice,
    SampledOptions,
    SeveralMechanism,
    SubsetSelection,
    SymmetricUnary,
    VectorLaplace,
    VectorMechanism,
)
from tossup.shared.mechanisms.digits import to_digits
from tossup.shared.mechanisms.scores.ranked_choice import order_of

ODDS = Fraction(4)


@cache
def views() -> list[View]:
    """Return views of small designs, whose channels can be added up."""
    three = design("discrete-laplace", 9, ODDS)
    return [
        view_table(design("k-ary", 7, ODDS)),
        view_table(three),
        view_table(design("hybrid", 8, ODDS)),
        view_table(DiscreteGaussian.for_odds(5, ODDS)),
        view_table(RankedChoice.linear(4, ODDS)),
        view_sets(PerOptionBits(5, 5)),
        view_sets(PerOptionBits(5, 2, hit=5, miss=1, total=9)),
        view_sets(PerOptionBits(4, 3, hit=5, miss=2, total=9)),
        view_sets(SampledOptions(5, 5, asked=1)),
        view_sets(SampledOptions(4, 1, asked=3)),
        view_sets(SampledOptions(5, 2, asked=4, keep=2)),
        view_texts(design("prefix-extending", 9, ODDS)),
        view_texts(PrefixExtending(3, (1, 3), rows=2, oracle=LocalHashing(4, field=2), salt=5)),
        view_texts(PrefixExtending(3, (1, 3), rows=2, oracle=KaryRandomizedResponse(5))),
        view_texts(PrefixExtending(3, (1, 3), rows=2, oracle=SubsetSelection(6, 2), salt=5)),
        view_texts(PrefixExtending(3, (1, 3), rows=2, oracle=SymmetricUnary(4, 2, 1), salt=5)),
        view_texts(PrefixExtending(3, (1, 3), rows=2, oracle=OptimizedUnary(5), salt=5)),
        view_components(VectorLaplace(1, 4, window=9)),
        view_components(EntryLaplace(2, 2, 2, window=5, keep=9)),
        view_components(VectorLaplace(2, 2, window=5, keep=9)),
        view_components(VectorLaplace(3, 1, window=2)),
    ]


@each("view", views)
def test_probabilities_of_events_are_those_of_the_channel(view: View):
    """Each event's probability from each answer, by adding up the reports it happens with."""
    reports = [r for r in range(view.mechanism.reports) if view.mechanism.is_report(r)]
    for row, answer in enumerate(view.answers):
        happens = np.array([view.count(np.array([row]), [report])[row] for report in reports])
        chances = [float(view.mechanism.probability(answer, report)) for report in reports]
        expected = np.array(chances) @ happens
        looked_at = np.isfinite(view.chances[row])

        assert np.allclose(expected[looked_at], view.chances[row][looked_at], rtol=1e-9, atol=1e-12)


@each("view", views)
def test_events_of_one_answer_in_a_pool_exclude_each_other(view: View):
    """No report counts twice in a pool, so that its count is a number of runs."""
    for row in range(len(view.answers)):
        for report in range(0, view.mechanism.reports, 1 + view.mechanism.reports // 64):
            counts = view.count(np.array([row]), [report])

            assert all(counts[pool.rows, pool.events].sum() <= 1 for pool in view.pools)


@each("view", views)
def test_no_contrast_shows_more_than_the_odds(view: View):
    """Every comparison bounds epsilon: the exact mechanism shows at most its own in any."""
    for contrast in view.contrasts:
        once, again = contrast.times
        own, other = (
            view.chances[pool.rows, pool.events].sum() for pool in (contrast.own, contrast.other)
        )
        spared = float(view.mechanism.delta) * contrast.events

        assert own / once <= float(view.mechanism.odds) * other / again * (1 + 1e-9) + spared
        assert own / once > other / again


CONTRASTS = [
    *(("k-ary", n) for n in (65, 256)),
    ("permanent-instantaneous", 256),
    *((name, n) for name in ("truncated-geometric", "square-wave") for n in (65, 1024)),
    *((name, n) for name in ("discrete-laplace", "staircase", "piecewise") for n in (64, 1024)),
    ("hybrid", 1024),
    *(("ranked-choice", n) for n in (6, 10)),
    *(("sampled-options", n) for n in (9, 64)),
    ("prefix-extending", 1024),
]


@pytest.mark.parametrize(
    ("name", "size"), proving(CONTRASTS, but=[case for case in CONTRASTS if case[1] < 1024])
)
def test_some_contrast_shows_all_the_odds(name: str, size: int):
    """But for rounding to integer weights, the first or second comparison reaches the claim."""
    mechanism = design(name, size, ODDS)
    view = view_of(mechanism)
    shown = max(
        view.chances[each.own.rows, each.own.events].sum() / each.times[0]
        / (view.chances[each.other.rows, each.other.events].sum() / each.times[1])
        for each in view.contrasts[:3]
    )  # fmt: skip

    assert float(mechanism.odds) == pytest.approx(shown, rel=1e-2)


def sizes(name: str) -> list[int]:
    kind = MECHANISMS[name]
    if issubclass(kind, SeveralMechanism):
        return [2, 6, 7, 8, 9, 33, 64]
    if issubclass(kind, VectorMechanism):
        return [3, 9, 25, 65**2, 5**4]
    if issubclass(kind, RankedChoice):
        return [2, 5, 6, 10]
    return [2, 3, 16, 33, 64, 65, 256, 1024]


@pytest.mark.parametrize("name", list(MECHANISMS))
@pytest.mark.parametrize("largest", proving([16, 5**6], but=[16]))
def test_every_mechanism_can_be_audited_at_every_size(name, largest):
    """Report by report, by the options that reports name, or by a view: nothing is refused."""
    made = 0
    for size in (size for size in sizes(name) if size <= largest):
        try:
            mechanism = design(name, size, ODDS)
        except MechanismError:  # no such size of this kind
            continue
        made += 1

        assert thorough_trials(mechanism) >= 100
        if not by_reports(mechanism):
            view = view_of(mechanism)
            assert view.contrasts
            assert all(mechanism.is_answer(answer) for answer in view.answers)
    assert made >= (1 if name != "two-coin/1" else 0)


def largest() -> list[Mechanism]:
    """Return designs of every view, up to what a manifest may have."""
    return [
        VectorLaplace(2, 1024, window=32768),
        VectorLaplace(16, 1, window=1),
        EntryLaplace(2, 1 << 16, 2, window=1 << 16),
        EntryLaplace(152, 32, 16, window=1 << 16),
        PrivUnit(256, 1 << 16, cap=9000),
        PrivUnit(256, 1, cap=0),
        PrivUnit(1, 1, cap=65535, keep=2**32, lie=1),
        PerOptionBits(64, 64, hit=2**32 - 1, miss=1, total=2**32),
        SampledOptions(24, 1, asked=24),
        design("discrete-gaussian", 256, Fraction(3)),
    ]


@pytest.mark.prove
@pytest.mark.parametrize(
    "designs",
    [largest, lambda: [VectorLaplace(16, 1024, window=32768)]],
    ids=["largest", "widest"],
)
def test_the_largest_designs_can_be_audited(designs: Callable[[], list[Mechanism]]):
    """Up to what a manifest may have: probabilities are numbers from 0 to 1, all of them."""
    for mechanism in designs():
        view = view_of(mechanism)
        chances = view.chances[np.isfinite(view.chances)]

        assert 0 <= chances.min() <= chances.max() <= 1 + 1e-9, mechanism
        assert view.chances.shape == (len(view.answers), len(view.events)), mechanism


@each("name", ["sampled-options", "per-option-bits"])
@each("options, most", [(9, 1), (9, 9), (33, 4), (64, 64), (64, 63)])
def test_every_option_is_given_ticked_and_not_ticked(name, options, most):
    """An option in clear can be seen, wherever it is; no set is larger than one may tick."""
    view = view_of(design(name, options, ODDS, most=most))
    for option in range(options):
        assert {0, 1} == {answer >> option & 1 for answer in view.answers}
    assert most == max(answer.bit_count() for answer in view.answers)


@pytest.mark.parametrize("options", [6, 10])
def test_every_option_has_every_rank_in_some_order(options):
    """Among the few orders that are given."""
    orders = [
        order_of(answer, options) for answer in chosen_answers(RankedChoice.linear(options, ODDS))
    ]

    assert len(orders) <= 3 * options
    assert {(r, option) for order in orders for r, option in enumerate(order)} == set(
        product(range(options), repeat=2)
    )


@pytest.mark.parametrize("dimension", [1, 2, 7])
def test_every_component_is_given_at_both_ends_and_in_the_middle(dimension):
    """A component in clear can be seen, wherever it is."""
    mechanism = PrivUnit(dimension, 5, cap=9000)
    points = np.array([mechanism.point(answer) for answer in view_of(mechanism).answers])

    assert [{-5, 0, 5}] * dimension == [set(column) for column in points.T.tolist()]


def test_a_grid_gives_the_answers_that_tell_most_as_often_as_all_others():
    """All 200 points, and the first and the last one a hundred times."""
    view = view_of(design("discrete-laplace", 200, ODDS))

    assert tuple(range(200)) == view.answers
    assert (100, 1, 100) == (view.repeats[0], view.repeats[100], view.repeats[199])


class Wide(GridMechanism):
    """A table that no version of Tossup knows, whose reports are in no order."""

    name = "wide/1"
    points = 11

    @property
    def weights(self):
        return tuple(
            tuple(3 if (a * 7 + r) % 11 < 4 else 1 for r in range(22 * 50)) for a in range(11)
        )

    @classmethod
    def for_odds(cls, points, odds):
        raise NotImplementedError

    def spec(self):
        return {"name": self.name}

    @classmethod
    def from_spec(cls, parameters, answers):
        raise NotImplementedError

    def _sample(self, answer, coins):
        raise NotImplementedError


def test_any_table_can_be_audited_without_code_of_its_own():
    """By bins that keep what tells two answers apart: a mechanism to come is covered."""
    view = view_of(Wide())
    first = view.contrasts[1]
    own, other = (view.chances[side.rows, side.events].sum() for side in (first.own, first.other))

    assert view.chances.shape[1] < 256
    assert 3 == pytest.approx(own / other)


class Entries(VectorMechanism):
    """A mechanism for vectors that no version of Tossup knows, with noise for each component."""

    name = "entries/1"
    levels = 9
    odds = Fraction(9)

    def probability(self, answer, report):
        digits = to_digits(report, self.levels, self.dimension)
        parts = self.point(answer)
        return math.prod(
            Fraction(3 if abs(digit - 4 - part) <= 1 else 1, self.levels + 6)
            for digit, part in zip(digits, parts, strict=True)
        )

    def spec(self):
        return {"name": self.name}

    @classmethod
    def from_spec(cls, parameters, answers):
        raise NotImplementedError

    def _sample(self, answer, coins):
        raise NotImplementedError


class Joined(Entries):
    """As those, but components have something to do with each other."""

    def probability(self, answer, report):
        digits = to_digits(report, self.levels, self.dimension)
        return super().probability(answer, report) * (2 if digits[0] == digits[-1] else 1)


def test_vectors_with_independent_components_can_be_audited_without_code_of_their_own():
    """Each component is as likely by itself as it is beside any others."""
    view = view_of(Entries(3, 2))
    chances = dict(zip(view.events, view.chances[0].tolist(), strict=True))

    assert 7 == len(view.answers)
    assert chances["digit 0 is at least 5"] == pytest.approx((3 * 3 + 1) / 15)
    assert chances["digits 1 and 2 are above the middle"] == pytest.approx((6 / 15) ** 2)


def test_vectors_whose_components_depend_on_each_other_are_refused():
    """What is not known is not guessed."""
    with pytest.raises(MechanismError, match="no audit for entries/1"):
        view_of(Joined(3, 2))


@pytest.mark.parametrize(
    ("mechanism", "slope"),
    [
        (PrivUnit(2, 64, cap=14994), None),
        (PrivUnit(3, 5, cap=0, keep=9), None),
        (PrivUnit(2, 64, cap=47000, keep=729), None),
        (PrivUnit(5, 64, cap=20000, keep=3), None),
    ],
    ids=str,
)
def test_digits_of_privunit_have_the_integrals_for_probabilities(mechanism, slope):
    """Against an integral over the plane of axis and answer, by another rule, to 1e-7."""
    d, near = mechanism.dimensions, mechanism.radius / mechanism.lifted_radius
    far, height = math.sqrt(1 - near**2), mechanism.cap / 65536

    def mass(low: float, weight) -> float:
        """Integrate over the disc, whose density is (1 - r**2)**(D / 2 - 2), in the cap or not."""

        def inner(s: float) -> float:
            span = math.sqrt(1 - s * s)
            ends = [-span, span]
            ends[0] = max(-span, min(span, (low - near * s) / far))
            found, _ = integrate.quad(
                lambda p: (1 - s * s - p * p) ** (d / 2 - 2), *ends, epsabs=1e-12
            )
            return weight(s) * found

        kinks = sorted(
            {
                height,
                *(
                    k
                    for k in (
                        low * near - far * math.sqrt(1 - low**2),
                        low * near + far * math.sqrt(1 - low**2),
                    )
                ),
            }
        )
        ends = [-1, *(k for k in kinks if -1 < k < 1), 1]
        return sum(integrate.quad(inner, a, b, epsabs=1e-11)[0] for a, b in pairwise(ends))

    def weight(s: float) -> int:
        return mechanism.keep if s >= height else mechanism.lie

    whole = mass(-1.0, weight)
    beyond = np.cumsum(of_cap(mechanism).own[::-1])[::-1]
    for digit in (128, 180, 230):
        # A digit is at least g with the mean, over a level, of the chance to be beyond its ends.
        levels = np.polynomial.legendre.leggauss(8)
        places = [2 * (digit - 1 + (x + 1) / 2) / 255 - 1 for x in levels[0]]
        mean = sum(w / 2 * mass(x, weight) for x, w in zip(places, levels[1], strict=True))

        assert mean / whole == pytest.approx(beyond[digit], abs=1e-7)


@pytest.mark.parametrize("dimension", [1, 2, 3, 8, 33, 256])
def test_twice_as_many_nodes_give_the_same_digits(dimension, monkeypatch):
    """To one part in 1e9: the stated error."""
    mechanism = PrivUnit(dimension, 64, cap=9000, keep=9)
    found = of_cap(mechanism)
    monkeypatch.setattr("tossup.server.auditing.viewing.cap_components._NODES", 24)
    finer = of_cap(mechanism)

    for coarse, fine in ((found.own, finer.own), (found.other, finer.other)):
        assert 1 == pytest.approx(coarse.sum())
        assert np.allclose(np.cumsum(fine), np.cumsum(coarse), rtol=1e-9, atol=1e-13)


@pytest.mark.parametrize(
    "mechanism",
    proving(
        [
            VectorLaplace(2, 16, window=2116),
            VectorLaplace(2, 16, window=200),
            VectorLaplace(3, 4, window=300),
            VectorLaplace(6, 8, window=150),
            VectorLaplace(16, 8, window=99),
        ],
        but=[VectorLaplace(2, 16, window=200)],
    ),
    ids=str,
)
def test_interpolated_components_are_right_to_a_thousandth(mechanism, monkeypatch):
    """Against full sums: half of the error that an audit allows for."""
    full = of_noise(mechanism)
    monkeypatch.setattr(noise_components._Noise, "is_counted", False)
    fast = of_noise(mechanism)

    assert (1e-12, 2e-3) == (full.error, fast.error)
    for name in ("own", "other"):
        exact, found = (np.cumsum(getattr(each, name)[::-1]) for each in (full, fast))
        common = exact > 1 / 128
        assert np.allclose(exact[common], found[common], rtol=1e-3, atol=0)
    assert full.both_up == pytest.approx(fast.both_up, rel=1e-3)


@pytest.mark.parametrize("window", [3, 40])
def test_digits_of_normal_noise_have_the_sums_for_probabilities(window: int):
    """Against sums over all noise, wrapped around; components that are 0 are independent."""
    mechanism = EntryGaussian(2, 2, window, 9)
    found, levels = of_gaussian(mechanism), mechanism.levels
    for size, digits in ((2, found.own), (0, found.other)):
        sums = np.zeros(levels)
        for noise in range(-200, 201):
            sums[(size + noise + window) % levels] += np.exp(-(noise**2) / 18)
        assert np.allclose(sums / sums.sum(), digits, rtol=1e-12, atol=0)
    assert found.both_up == pytest.approx(found.other[window + 1 :].sum() ** 2)


def test_a_report_of_a_vector_is_taken_apart():
    """Digit by digit, the first component the least significant."""
    mechanism = VectorLaplace(3, 4, window=300)
    view = view_components(mechanism)
    report = 601 * 601 * 600 + 601 * 300 + 0
    digits = to_digits(report, 601, 3)
    happened = view.count(np.array([0]), [report])[0]

    assert (0, 300, 600) == digits
    for name, count in zip(view.events, happened.tolist(), strict=True):
        place, _, number = name.removeprefix("digit ").partition(" is at ")
        if number:
            how, _, end = number.partition(" ")
            expected = (
                digits[int(place)] >= int(end) if how == "least" else digits[int(place)] <= int(end)
            )
            assert expected == count
