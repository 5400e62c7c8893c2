"""A preference order in, one option out: exact by enumeration of all orders."""

from fractions import Fraction
from itertools import permutations, product
from math import factorial

import pytest
from sweeps import each
from walking import Chosen, channel_row

from tossup.shared.coins import Coins
from tossup.shared.errors import AnswerError, MechanismError
from tossup.shared.mechanisms import (
    Exponential,
    NoisyMaxLaplace,
    PermuteAndFlip,
    RankedChoice,
    from_spec,
)
from tossup.shared.mechanisms.scores.ranked_choice import index_of, order_of

SMALL = [
    RankedChoice((3, 1)),
    RankedChoice((3, 2, 1)),
    RankedChoice((5, 2, 2)),
    RankedChoice((4, 4, 1)),
    RankedChoice((9, 7, 5, 3)),
    RankedChoice((8, 4, 2, 1)),
    RankedChoice((6, 5, 4, 3, 2)),
]


def test_it_works():
    """Of 24 parts, the first of four has 9, then 7, 5, 3: odds of 3."""
    mechanism = RankedChoice.linear(4, Fraction(3))

    assert RankedChoice((9, 7, 5, 3)) == mechanism
    assert 3 == mechanism.odds


@each("mechanism", SMALL)
def test_the_sampler_is_the_channel(mechanism: RankedChoice):
    """For every order, over all choices of the coins, each option has exactly its weight."""
    for answer, order in enumerate(permutations(range(mechanism.options))):
        expected = {
            option: Fraction(mechanism.by_rank[rank], sum(mechanism.by_rank))
            for rank, option in enumerate(order)
        }

        assert expected == channel_row(mechanism, answer)
        assert expected == {o: mechanism.probability(answer, o) for o in order}


@each("mechanism", SMALL)
def test_odds_by_enumeration(mechanism: RankedChoice):
    """The odds are the largest ratio over all options and pairs of orders."""
    channel = [channel_row(mechanism, answer) for answer in range(mechanism.answers)]

    found = max(
        row[y] / other[y]
        for row, other in product(channel, repeat=2)
        for y in range(mechanism.options)
    )
    assert mechanism.odds == found


@each("mechanism", SMALL)
def test_reports_tell_the_mean_of_points(mechanism: RankedChoice):
    """(chance to be named - q) / (p - q) is what the option's rank counts for, for every order."""
    q, p = mechanism.rates
    for answer, order in enumerate(permutations(range(mechanism.options))):
        for rank, option in enumerate(order):
            named = mechanism.probability(answer, option)
            assert mechanism.points[rank] == (named - q) / (p - q)


@each("options", range(2, 8))
def test_orders_are_numbered_once_each(options: int):
    """In the order of a dictionary: every index has one order, every order its index."""
    orders = [order_of(index, options) for index in range(factorial(options))]

    assert list(permutations(range(options))) == orders
    assert list(range(factorial(options))) == [index_of(order) for order in orders]


@each("options", range(2, 11))
@each("odds", [Fraction(21, 20), Fraction(5, 2), Fraction(3), Fraction(81)])
def test_linear_and_first_have_exactly_the_odds(options: int, odds: Fraction):
    """Points fall by equal steps, or are one for the first rank alone."""
    linear, first = RankedChoice.linear(options, odds), RankedChoice.first(options, odds)

    assert odds == linear.odds == first.odds
    steps = options - 1
    assert tuple(Fraction(steps - rank, steps) for rank in range(options)) == linear.points
    assert (1, *(0,) * steps) == first.points


@each("kind", [Exponential, PermuteAndFlip, NoisyMaxLaplace])
@each("scores", [(3, 2, 1, 0), (1, 0, 0), (10, 4, 4, 0, -7)])
@each("odds", [Fraction(3, 2), Fraction(3), Fraction(81)])
def test_designs_by_score_never_exceed_the_odds(kind, scores, odds: Fraction):
    """All orders have the same scores by rank, so one row of weights has all the odds."""
    mechanism = RankedChoice.for_scores(kind, scores, odds)

    assert mechanism.odds <= odds
    assert (mechanism.odds - 1) / (odds - 1) > Fraction(9999, 10000)
    assert sorted(mechanism.by_rank, reverse=True) == list(mechanism.by_rank)
    assert mechanism == from_spec(mechanism.spec(), factorial(len(scores)))


def test_the_exponential_mechanism_needs_no_factor_of_two_for_orders():
    """One step of score for the first rank: exactly the odds, and the share of first ranks."""
    mechanism = RankedChoice.for_scores(Exponential, (1, 0, 0, 0), Fraction(3))

    assert RankedChoice((3, 1, 1, 1)) == mechanism


@pytest.mark.parametrize("answer", [0, 1, 1_814_400, factorial(10) - 1])
def test_orders_of_ten_are_tossed_one_by_one(answer: int):
    """Every value of the draw names the option of its rank."""
    mechanism = RankedChoice((10, 9, 8, 7, 6, 5, 4, 3, 2, 1))
    order = order_of(answer, 10)
    named = [mechanism.perturb(answer, Chosen(value)) for value in range(55)]

    assert [order[rank] for rank in range(10) for _ in range(10 - rank)] == named


@each("answer", [None, True, 1.0, "1", -1, 6, (0, 1, 2), [], Fraction(1)])
def test_an_answer_that_is_no_order_draws_nothing(answer: object):
    """A look-alike is refused before a coin is tossed."""

    def source(count: int) -> bytes:
        raise AssertionError("a coin was tossed")

    with pytest.raises(AnswerError, match="from 0 to 5"):
        RankedChoice((3, 2, 1)).perturb(answer, Coins(source))


@each(
    "by_rank",
    [
        (3,),
        (),
        tuple(range(11, 0, -1)),
        (3, 3),
        (1, 3),
        (3, 1, 2),
        (3, 0),
        (3, -1),
        (3.0, 1),
        (True, 1),
        (1 << 32, 1),
    ],
)
def test_weights_that_cannot_protect_or_tell_are_refused(by_rank):
    """They never rise from rank to rank, do fall, and are positive integers that can be tossed."""
    with pytest.raises(MechanismError):
        RankedChoice(by_rank)


@each("scores", [(), (1,), (1, 1), (0, 1), (2, 0, 1), (1024, 0), (1.0, 0)])
def test_scores_that_do_not_rank_are_refused(scores):
    """Scores by rank are integers, highest first, and do fall."""
    with pytest.raises(MechanismError):
        RankedChoice.for_scores(Exponential, scores, Fraction(3))


@pytest.mark.parametrize("options", [0, 1, 11, True, 2.0])
def test_only_few_options_have_a_design(options: int):
    """Orders of 2 to 10 options."""
    with pytest.raises(MechanismError):
        RankedChoice.from_odds(Fraction(3), options)
