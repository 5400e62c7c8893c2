"""The exponential mechanism is what its definition says."""

from fractions import Fraction

from channels import channel, drawn, largest_ratio, reports_of
from small_designs import of
from sweeps import each

from tossup.shared.mechanisms import Exponential, KaryRandomizedResponse
from tossup.shared.mechanisms.scores.base import in_a_row


@each("design", of(Exponential))
def test_the_channel_is_exact(design: Exponential):
    """Probabilities sum to exactly 1 for every answer, and every answer may give every option."""
    rows = channel(design)

    assert {1} == {sum(row) for row in rows}
    assert reports_of(rows) == [*range(design.reports)]


@each("design", of(Exponential))
def test_odds_by_enumeration(design: Exponential):
    """The odds are the largest ratio over all reports and all pairs of answers."""
    assert design.odds == largest_ratio(channel(design))


@each("design", of(Exponential))
def test_the_sampler_follows_the_weights(design: Exponential):
    """Over every value of its single choice, each report comes exactly weight times."""
    for answer in range(design.answers):
        assert dict(enumerate(design.weights[answer])) == drawn(design, answer)


def test_it_works():
    """Three places in a row, a step apart, at a ratio of 2: 4, 2, 1 of 7 from either end."""
    channel = Exponential(in_a_row(3), keep=2).channel()

    assert [Fraction(4, 7), Fraction(2, 7), Fraction(1, 7)] == list(channel[0])
    assert [Fraction(1, 4), Fraction(1, 2), Fraction(1, 4)] == list(channel[1])


@each("options", [2, 3, 5, 32])
@each("keep, lie", [(2, 1), (3, 1), (5, 2), (81, 1)])
def test_a_point_for_the_truth_is_k_ary_randomized_response(options: int, keep: int, lie: int):
    """With scores of 1 and 0 all normalizers are equal, and no factor of 2 is needed."""
    utility = tuple(tuple(int(o == a) for o in range(options)) for a in range(options))
    mechanism = Exponential(utility, keep, lie)

    assert KaryRandomizedResponse(options, keep, lie).channel() == mechanism.channel()
    assert Fraction(keep, lie) == mechanism.odds
    assert mechanism == Exponential.for_utility(utility, Fraction(keep, lie))


@each("keep, lie", [(3, 2), (31, 30), (1 << 28, (1 << 28) - 1)])
@each("options", [4, 9, 32])
def test_weights_are_the_definition_to_a_unit_in_2_to_the_32(options: int, keep: int, lie: int):
    """Rounded down, with what is left at the first largest: ratio**score over its sum."""
    mechanism = Exponential(in_a_row(options), keep, lie)
    total = sum(mechanism.weights[0])
    for scores, weights in zip(in_a_row(options), mechanism.weights, strict=True):
        exact = [Fraction(keep, lie) ** score for score in scores]
        off = [w - total * e / sum(exact) for w, e in zip(weights, exact, strict=True)]

        assert sum(off) == 0
        assert all(-1 < gap <= 0 for gap in off if gap != max(off))
        assert max(off) < options
