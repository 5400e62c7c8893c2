"""The unrelated question of unknown share: two samples, two statements, and forced answers."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from channels import channel, largest_ratio
from small_designs import of
from sweeps import each
from walking import channel_row

from tossup.shared.errors import AnswerError, MechanismError
from tossup.shared.mechanisms import SampledOptions, UnrelatedQuestion, from_spec

SMALL: list[UnrelatedQuestion] = of(UnrelatedQuestion)
ODDS = [Fraction(101, 100), Fraction(3, 2), Fraction(3), Fraction(22, 3), Fraction(700)]
SELECTED = [Fraction(51, 100), Fraction(2, 3), Fraction(7, 10), Fraction(4, 5), Fraction(99, 100)]


def test_it_works():
    """At odds of 3 and 7 to 3: yes in 5 to 15 of 20 ways in either sample."""
    mechanism = UnrelatedQuestion.from_odds(Fraction(3))

    assert UnrelatedQuestion(7, 3, 5) == mechanism
    assert ((15, 5, 15, 5), (8, 12, 12, 8), (12, 8, 8, 12), (5, 15, 5, 15)) == mechanism.weights
    assert 3 == mechanism.odds


@each("mechanism", SMALL)
def test_weights_are_all_ways_that_the_coins_fall(mechanism: UnrelatedQuestion):
    """By going through them: the sample, then what the report is about, then yes or no."""
    for answer, weights in enumerate(mechanism.weights):
        first, second = bool(answer & 1), bool(answer & 2)
        fallen: Counter[int] = Counter()
        for sample, (own, other) in enumerate(((first, second), (second, first))):
            says = [own] * mechanism.own + [other] * mechanism.other
            says += [True] * mechanism.forced + [False] * mechanism.forced
            fallen.update(2 * sample + yes for yes in says)

        assert dict(enumerate(weights)) == fallen


@each("mechanism", SMALL)
def test_the_sampler_is_the_channel(mechanism: UnrelatedQuestion):
    """Over all choices of the coins, each report has exactly its probability."""
    for answer in range(4):
        expected = {y: mechanism.probability(answer, y) for y in range(4)}

        assert expected == channel_row(mechanism, answer)


@each("mechanism", SMALL)
def test_odds_over_all_pairs_of_both_statements(mechanism: UnrelatedQuestion):
    """By enumeration of the four answers and four reports, and by the formula of the proof."""
    rows = channel(mechanism)
    found = max(a[y] / b[y] for a, b in product(rows, repeat=2) for y in range(4))

    assert mechanism.odds == found == largest_ratio(rows)
    assert 1 + Fraction(mechanism.own + mechanism.other, mechanism.forced) == found


@each("odds", ODDS)
@each("selected", SELECTED)
def test_a_design_has_just_the_odds_asked(odds: Fraction, selected: Fraction):
    """And asks its sample's statement just as often as is said."""
    mechanism = UnrelatedQuestion.from_odds(odds, selected=selected)

    assert (odds, selected) == (mechanism.odds, mechanism.selected)
    assert mechanism == from_spec(mechanism.spec(), 4)


@each("mechanism", SMALL)
def test_reports_tell_both_shares_and_not_how_they_go_together(mechanism: UnrelatedQuestion):
    """What neither and both give together, the two statements alone give together: rank 3."""
    none, first, second, both = channel(mechanism)

    assert [a + b for a, b in zip(none, both, strict=True)] == [
        a + b for a, b in zip(first, second, strict=True)
    ]
    assert (first[1] - none[1]) * (second[3] - none[3]) != (second[1] - none[1]) * (
        first[3] - none[3]
    )


@pytest.mark.parametrize("odds", ODDS)
def test_without_the_other_statement_it_would_be_sampled_options(odds: Fraction):
    """The odds are spent on one statement, drawn by chance: the limit of ever less of the other."""
    sampled = channel(SampledOptions.asking(1, odds, 2))
    near = channel(UnrelatedQuestion.from_odds(odds, selected=1 - Fraction(1, 10**4)))

    assert all(
        abs(a - b) <= Fraction(1, 10**4)
        for row, other in zip(sampled, near, strict=True)
        for a, b in zip(row, other, strict=True)
    )


@each(
    "weights",
    [
        (3, 3, 1),
        (2, 3, 1),
        (3, 0, 1),
        (3, 1, 0),
        (-3, 1, 1),
        (14, 6, 10),
        (7.0, 3, 5),
        (True, 3, 5),
        (1 << 31, 1, 1),
    ],
)
def test_weights_that_cannot_protect_or_tell_are_refused(weights):
    """No forced answer would prove one; equal ones tell one number; 2**31 at most, and reduced."""
    with pytest.raises(MechanismError):
        UnrelatedQuestion(*weights)


@each(
    "asked",
    [
        {"odds": Fraction(1)},
        {"odds": Fraction(1, 2)},
        {"odds": Fraction(3), "selected": Fraction(1, 2)},
        {"odds": Fraction(3), "selected": Fraction(1)},
        {"odds": Fraction(3), "selected": Fraction(3, 10)},
        {"odds": Fraction(3), "options": 3},
        {"odds": Fraction(3), "options": 2, "most": 1},
        {"odds": Fraction((1 << 31) - 1, (1 << 31) - 2)},
    ],
)
def test_designs_that_are_none_are_refused(asked):
    """Two statements of which both may be true; more of a sample's own than of the other."""
    with pytest.raises(MechanismError):
        UnrelatedQuestion.from_odds(**asked)


@pytest.mark.parametrize(
    "spec",
    [
        {"own": 7, "other": 3},
        {"own": 7, "other": 3, "forced": 5, "more": 1},
        {"own": "7", "other": 3, "forced": 5},
        {"selected": "7/10"},
    ],
)
def test_specs_that_are_not_exactly_known_are_refused(spec: dict[str, object]):
    """A manifest's parameters are the three weights."""
    with pytest.raises(MechanismError):
        from_spec({"name": "unrelated-question/1", **spec}, 4)


@each("answer", [-1, 4, True, None, 1.0, "1", [0], {0, 1}])
def test_what_is_no_set_of_two_is_refused_before_a_toss(answer):
    """0 for neither, 1 and 2 for one, 3 for both; no look-alike."""
    with pytest.raises(AnswerError):
        UnrelatedQuestion(7, 3, 5).perturb(answer)
