"""Kinds of faults found in public privacy code, each with a test of its kind over a sweep.

The numbers are those of a log of twenty public bugs (opendp, pure-LDP, RAPPOR, smartnoise,
diffprivlib and others). Those about the server's estimates are in tests/server, those about
the ledger in tests/client.
"""

from decimal import Decimal
from fractions import Fraction
from math import exp

import pytest

from tossup.shared.accounting import largest_odds
from tossup.shared.coins import Coins, bytes_for
from tossup.shared.errors import AnswerError
from tossup.shared.mechanisms import KaryRandomizedResponse, RandomizedResponse, TwoCoin

TABLES = [
    ((no_no, total - no_no), (yes_no, total - yes_no))
    for total in (2, 3, 5, 16, 100, 128, 256)
    for no_no, yes_no in [(total - 1, 1), (1, total - 1), (total // 2 + 1, total // 2)]
    if total // 2 >= 1 and no_no != yes_no and 0 < no_no < total and 0 < yes_no < total
]


def choosing(value: int, total: int) -> Coins:
    """Return coins whose choice below ``total`` is ``value``."""
    return Coins(lambda _: value.to_bytes(bytes_for(total), "little"))


def realised(table: tuple[tuple[int, int], tuple[int, int]], answer: int) -> Fraction:
    """Return Pr[report yes | answer] by trying every value the coins can choose."""
    total = sum(table[0])
    design = RandomizedResponse(table)
    yes = sum(design.perturb(answer, choosing(value, total)) for value in range(total))
    return Fraction(yes, total)


@pytest.mark.parametrize("table", TABLES)
def test_a_lie_never_equals_the_truth_by_a_fresh_coin(table):
    """No. 1 (opendp #480): the realised probability is the declared one, not p + (1 - p)p.

    Also no. 7 and A6 (RAPPOR, 7-bit thresholds): f = 1/100 is 1/100, not 2/128; and no. 10
    (smartnoise-core #278): probabilities other than 1/2 and powers of two hold as well.
    """
    for answer in (0, 1):
        assert Fraction(table[answer][1], sum(table[answer])) == realised(table, answer)


@pytest.mark.parametrize("options", range(2, 257))
def test_a_choice_among_others_has_no_modulo_bias(options: int):
    """A5 (byte modulo k): each other option has exactly the same probability, for every k."""
    design = KaryRandomizedResponse(options)
    total = options + 2
    reports = [design.perturb(options - 1, choosing(value, total)) for value in range(total)]

    counts = [reports.count(option) for option in range(options)]
    assert [1] * (options - 1) + [3] == counts


def test_the_coins_use_the_bytes_and_not_their_place():
    """No. 6 (RAPPOR, secure coins that compared the loop index): other bytes, other reports."""
    runs = {tuple(TwoCoin().perturb(0, choosing(byte, 4)) for _ in range(64)) for byte in range(4)}

    assert {(0,) * 64, (1,) * 64} == runs


def test_the_whole_budget_is_used_for_every_size():
    """No. 5 (pure-LDP, exp(eps/2) by mistake): the odds of an asked epsilon are e**epsilon."""
    for options in range(2, 257):
        for asked in ("0.5", "1", "2", "4"):
            odds = largest_odds(Decimal(asked), options)
            design = KaryRandomizedResponse(options, odds.numerator, odds.denominator)
            assert 0.999 * exp(float(asked)) < float(design.odds) <= exp(float(asked))


def test_the_true_option_is_randomized_wherever_it_stands():
    """No. 4 and the first and last position: every option may be reported for every answer."""
    for options in (2, 3, 16, 256):
        design = KaryRandomizedResponse(options)
        for answer in {0, 1, options - 1}:
            total = options + 2
            seen = {design.perturb(answer, choosing(value, total)) for value in range(total)}
            assert set(range(options)) == seen


def test_a_truth_that_is_neither_yes_nor_no_is_never_sent():
    """A16 (StatDP on a toy): 2 does not pass through on tails."""
    for byte in range(256):
        with pytest.raises(AnswerError, match="an int from 0 to 1"):
            TwoCoin().perturb(2, choosing(byte, 4))
