"""Kuk's cards: a report is how many of several are red."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from sweeps import each
from walking import channel_row

from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms import Kuk, RandomizedResponse, from_spec

SMALL = [
    Kuk(cards, decks)
    for cards in (2, 3, 4)
    for decks in (
        ((2, 1), (1, 2)),
        ((1, 2), (2, 1)),
        ((3, 1), (1, 3)),
        ((4, 1), (2, 3)),
        ((3, 2), (2, 3)),
    )
]
ODDS = [Fraction(3, 2), Fraction(3), Fraction(4), Fraction(9), Fraction(100)]


def test_it_works():
    """Two cards from decks of three: 4, 4 and 1 of 9 ways for no, turned around for yes."""
    mechanism = Kuk(2, ((2, 1), (1, 2)))

    assert ((4, 4, 1), (1, 4, 4)) == mechanism.weights
    assert 4 == mechanism.odds


@each("mechanism", SMALL)
def test_weights_are_all_ways_that_cards_fall(mechanism: Kuk):
    """By drawing every card of the deck at every draw, with replacement."""
    for (black, red), weights in zip(mechanism.decks, mechanism.weights, strict=True):
        deck = [0] * black + [1] * red
        fallen = Counter(sum(cards) for cards in product(deck, repeat=mechanism.cards))

        assert dict(enumerate(weights)) == fallen


@each("mechanism", SMALL)
def test_the_sampler_is_the_channel(mechanism: Kuk):
    """Over all choices of the coins, each number of red cards has exactly its probability."""
    for answer in (0, 1):
        expected = {y: mechanism.probability(answer, y) for y in range(mechanism.cards + 1)}

        assert expected == channel_row(mechanism, answer)


@each("mechanism", SMALL)
def test_odds_are_those_of_one_card_multiplied(mechanism: Kuk):
    """By enumeration, and as the power of the odds of randomized response with the same decks."""
    channel = mechanism.channel()
    found = max(
        row[y] / other[y] for row, other in product(channel, repeat=2) for y in range(len(row))
    )

    assert mechanism.odds == found == RandomizedResponse(mechanism.decks).odds ** mechanism.cards


@each("cards", range(2, 9))
@each("odds", ODDS)
def test_realised_odds_are_never_above_those_asked(cards: int, odds: Fraction):
    """Decks are opposite, and no larger ratio of cards would fit; many cards have coarse odds."""
    try:
        mechanism = Kuk.from_odds(odds, cards=cards)
    except MechanismError:
        assert odds < 3
        assert cards > 4
        return
    more, less = mechanism.decks[0]
    largest = int((1 << 32) ** (1 / cards) + 1e-9)
    better = [
        (a, size - a)
        for size in range(2, min(largest, 300) + 1)
        for a in range(size // 2 + 1, size)
        if a * less > more * (size - a)
    ]

    assert 1 < mechanism.odds <= odds
    assert mechanism == from_spec(mechanism.spec(), 2)
    assert all(Fraction(a, b) ** cards > odds for a, b in better)


@each(
    "cards, decks",
    [
        (1, ((2, 1), (1, 2))),
        (17, ((2, 1), (1, 2))),
        (2.0, ((2, 1), (1, 2))),
        (True, ((2, 1), (1, 2))),
        (2, ((2, 1), (2, 1))),
        (2, ((2, 0), (1, 1))),
        (2, ((2, 1), (1, 3))),
        (2, ((4, 2), (2, 4))),
        (2, ((2, 1, 1), (1, 2, 1))),
        (2, ((2.0, 1), (1, 2))),
        (2, ((65536, 1), (1, 65536))),
        (16, ((4, 1), (1, 4))),
    ],
)
def test_decks_that_cannot_protect_or_tell_are_refused(cards, decks):
    """No card of a colour would prove an answer; equal decks tell nothing; 2**32 ways at most."""
    with pytest.raises(MechanismError):
        Kuk(cards, decks)


@pytest.mark.parametrize(
    "spec",
    [
        {"cards": 2},
        {"cards": 2, "decks": [[2, 1], [1, 2]], "more": 1},
        {"cards": "2", "decks": [[2, 1], [1, 2]]},
        {"cards": 2, "decks": [2, 1]},
    ],
)
def test_specs_that_are_not_exactly_known_are_refused(spec: dict[str, object]):
    """A manifest's parameters are the number of cards and the decks."""
    with pytest.raises(MechanismError):
        from_spec({"name": "kuk/1", **spec}, 2)


def test_cards_are_for_yes_and_no():
    """There are two decks."""
    with pytest.raises(MechanismError):
        Kuk.from_odds(Fraction(3), options=3)
