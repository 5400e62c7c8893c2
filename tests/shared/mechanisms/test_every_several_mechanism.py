"""Mechanisms for several of k options: channel, odds and sampler, proven by enumeration."""

import os
from collections import Counter
from fractions import Fraction
from functools import reduce
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from walking import channel_row

from tossup.shared.coins import Coins
from tossup.shared.errors import AnswerError, MechanismError
from tossup.shared.mechanisms import (
    MECHANISMS,
    PerOptionBits,
    SampledOptions,
    SeveralMechanism,
    SymmetricUnary,
    from_spec,
    naming_chances,
)

BITS = [(3, 1, 4), (2, 1, 3), (5, 2, 7), (2, 1, 4), (4, 1, 8), (5, 3, 6)]

SPLIT: list[PerOptionBits] = [
    PerOptionBits(options, most, *weights)
    for options in (1, 2, 3, 4)
    for most in range(1, options + 1)
    for weights in BITS
]
SAMPLED: list[SampledOptions] = [
    SampledOptions(options, most, asked, keep, lie)
    for options in (1, 2, 3, 4, 5)
    for most in range(1, options + 1)
    for asked in range(1, min(options, 3) + 1)
    for keep, lie in ((3, 1), (2, 1), (5, 2))
]
DESIGNS: list[SeveralMechanism] = [*SPLIT, *SAMPLED]
KINDS = [SampledOptions, PerOptionBits]
ODDS = [Fraction(101, 100), Fraction(3, 2), Fraction(3), Fraction(22, 3), Fraction(700)]


def ids(mechanism: SeveralMechanism) -> str:
    return f"{mechanism.spec()} of {mechanism.options}"


def answers_of(mechanism: SeveralMechanism) -> list[int]:
    """All sets that one may tick."""
    return [answer for answer in range(mechanism.answers) if mechanism.is_answer(answer)]


def rows(mechanism: SeveralMechanism) -> list[list[Fraction]]:
    """The whole channel."""
    reports = range(mechanism.reports)
    return [[mechanism.probability(a, y) for y in reports] for a in answers_of(mechanism)]


def test_every_such_mechanism_of_the_registry_is_swept():
    """A new mechanism cannot be left out here."""
    kinds = {kind for kind in MECHANISMS.values() if issubclass(kind, SeveralMechanism)}

    assert set(KINDS) == kinds == {type(design) for design in DESIGNS}


@pytest.mark.parametrize("mechanism", DESIGNS, ids=ids)
def test_the_answers_are_the_sets_of_at_most_so_many(mechanism: SeveralMechanism):
    """None ticked is an answer; one more than allowed is none, and neither is another option."""
    sizes = Counter(answer.bit_count() for answer in answers_of(mechanism))

    assert set(range(mechanism.most + 1)) == set(sizes)
    assert not mechanism.is_answer(-1)
    assert not mechanism.is_answer(1 << mechanism.options)


@pytest.mark.parametrize("mechanism", DESIGNS, ids=ids)
def test_the_sampler_is_the_channel(mechanism: SeveralMechanism):
    """Over all choices of the coins, each report comes with exactly its probability."""
    for answer in answers_of(mechanism):
        row = {y: mechanism.probability(answer, y) for y in range(mechanism.reports)}

        assert row == channel_row(mechanism, answer)


@pytest.mark.parametrize("mechanism", DESIGNS, ids=ids)
def test_odds_by_enumeration(mechanism: SeveralMechanism):
    """The odds are the largest ratio over all reports and pairs of answers; all are possible."""
    channel = rows(mechanism)

    assert {Fraction(1)} == {sum(row) for row in channel}
    assert all(chance > 0 for row in channel for chance in row)
    assert mechanism.odds == max(max(c) / min(c) for c in zip(*channel, strict=True))


@pytest.mark.parametrize("mechanism", DESIGNS, ids=ids)
def test_what_a_report_tells_by_enumeration(mechanism: SeveralMechanism):
    """Each option is asked with one probability, and said to be ticked with p, or else with q."""
    q, p = mechanism.rates
    for answer, row in zip(answers_of(mechanism), rows(mechanism), strict=True):
        asked: Counter[int] = Counter()
        ticked: Counter[int] = Counter()
        for report, chance in enumerate(row):
            for option, said in mechanism.told(report):
                asked[option] += chance
                ticked[option] += said * chance

        assert dict.fromkeys(range(mechanism.options), mechanism.asked_share) == asked
        for option in range(mechanism.options):
            rate = p if answer >> option & 1 else q
            assert ticked[option] == rate * mechanism.asked_share


@pytest.mark.parametrize("mechanism", DESIGNS, ids=ids)
def test_a_report_names_an_option_or_not(mechanism: SeveralMechanism):
    """What a report says of an option that it asks is a two-by-two channel."""
    q, p = mechanism.rates

    assert ((1 - q, q), (1 - p, p)) == naming_chances(mechanism)


def split_weights(options: int, weights: tuple[int, int, int]) -> np.ndarray:
    """The channel of per-option bits in integers, made of one two-by-two table an option."""
    hit, miss, total = weights
    table = np.array([[total - miss, miss], [total - hit, hit]], dtype=np.int64)
    return reduce(np.kron, [table] * options)


@pytest.mark.parametrize("weights", [(2, 1, 3), (3, 1, 4), (2, 1, 4), (5, 3, 6)])
@pytest.mark.parametrize("options", range(1, 11))
def test_the_odds_of_bits_over_all_answers_of_up_to_ten_options(options: int, weights):
    """For every limit of ticks, over all pairs of answers and all reports, in integers."""
    channel = split_weights(options, weights)
    sizes = np.bitwise_count(np.arange(1 << options))
    for most in range(1, options + 1):
        allowed = channel[sizes <= most]
        largest, smallest = allowed.max(axis=0).tolist(), allowed.min(axis=0).tolist()
        found = max(map(Fraction, largest, smallest))

        assert PerOptionBits(options, most, *weights).odds == found


@pytest.mark.parametrize("options", range(1, 11))
def test_the_odds_of_samples_over_all_answers_of_up_to_ten_options(options: int):
    """For every limit and every number asked, over all pairs of answers and all reports.

    A report's weight is keep to the power of the bits kept, times lie to that of those turned.
    So the ratio of two is keep / lie to the power by which the turned ones differ.
    """
    answers = np.arange(1 << options)
    for asked in range(1, min(options, 8) + 1):
        window = (1 << asked) - 1
        turned = np.bitwise_count((answers[:, np.newaxis] & window) ^ np.arange(1 << asked))
        for most in range(1, options + 1):
            allowed = turned[np.bitwise_count(answers) <= most].astype(int)
            power = int((allowed.max(axis=0) - allowed.min(axis=0)).max())

            assert SampledOptions(options, most, asked, 3, 1).odds == 3**power


@pytest.mark.parametrize("first", range(7))
def test_options_are_asked_in_a_circle(first: int):
    """From each option on, those after it are asked, from the last on to the first."""
    design = SampledOptions(7, 7, 3)
    report = first << 3 | 0b101

    expected = [(first, True), ((first + 1) % 7, False), ((first + 2) % 7, True)]
    assert expected == list(design.told(report))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("options", "most"), [(1, 1), (2, 1), (3, 3), (8, 2), (20, 3), (64, 64)])
def test_realised_odds_are_never_above_those_asked(kind, options: int, most: int):
    """From an odds of 101 to 100 to one of 700, and at least 0.999 of what is above 1 is used."""
    for odds in ODDS:
        realised = kind.from_odds(odds, options, most).odds

        assert realised <= odds
        assert (realised - 1) / (odds - 1) > Fraction(999, 1000)


@pytest.mark.parametrize("options", [1, 2, 5, 64])
def test_one_option_asked_has_exactly_the_odds(options: int):
    """All of the odds are spent on the one bit, whatever the ratio."""
    for odds in ODDS:
        assert odds == SampledOptions.asking(1, odds, options).odds


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("options", "most"), [(1, 1), (2, 2), (5, 2), (16, 16), (64, 3)])
def test_an_answer_costs_the_same_random_bytes_in_one_draw(kind, options: int, most: int):
    """Whatever the answer, the report and the bytes: what is drawn tells nothing."""
    design = kind.from_odds(Fraction(5, 2), options, most)
    draws = set()
    for answer in [0, 1, (1 << most) - 1 << options - most] * 30:
        drawn: list[int] = []

        def source(count: int, drawn: list[int] = drawn) -> bytes:
            drawn.append(count)
            return os.urandom(count)

        design.perturb(answer, Coins(source))
        draws.add(tuple(drawn))

    assert {(next(iter(draws))[0],)} == draws


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "answer", [None, True, 1.0, "1", -1, 0b111, 0b11011, 32, 1 << 70, float("nan"), [], {0}]
)
def test_what_is_no_set_of_at_most_two_draws_nothing(kind, answer: object):
    """A look-alike, an unknown option and three ticks are refused before a coin is tossed."""

    def source(count: int) -> bytes:
        raise AssertionError("a coin was tossed")

    with pytest.raises(AnswerError):
        kind.from_odds(Fraction(3), 5, 2).perturb(answer, Coins(source))


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=60, deadline=None, derandomize=True)
@given(data=st.data())
def test_any_answer_gives_a_report(kind, data: st.DataObject):
    """For up to 64 options: what comes out is a report, and its spec gives the mechanism back."""
    options = data.draw(st.integers(1, 64))
    most = data.draw(st.integers(1, options))
    ticked = data.draw(st.sets(st.integers(0, options - 1), max_size=most))
    design = kind.from_odds(data.draw(st.sampled_from(ODDS)), options, most)
    report = design.perturb(sum(1 << option for option in ticked))
    told = list(design.told(report))

    assert design.is_report(report)
    assert design.asked_share * options == len({option for option, _ in told}) == len(told)
    assert design == from_spec(design.spec(), design.answers)
    assert not design.is_report(design.reports)


@pytest.mark.parametrize("kind", KINDS)
def test_every_option_is_randomized_wherever_it_stands(kind):
    """First, middle and last of 8 options, ticked or not, are said to be both.

    At 3:1 a report that asks an option lies with probability at least 1/4, and asks it with at
    least 1/8: the chance that 2,000 reports do not lie once is below 1e-27.
    """
    design = kind.from_odds(Fraction(3), 8)
    said = Counter()
    for answer in (0b00000000, 0b11111111):
        for _ in range(2000):
            said.update((answer, *told) for told in design.told(design.perturb(answer)))

    assert set(product((0, 255), range(8), (False, True))) == set(said)


@pytest.mark.parametrize("most", [1, 2, 3, 4])
@pytest.mark.parametrize("odds", [Fraction(3, 2), Fraction(3), Fraction(20)])
def test_no_other_weights_have_less_variance_at_the_same_odds(most: int, odds: Fraction):
    """The largest variance over shares is least for symmetric bits: against all of a fine grid."""
    symmetric = PerOptionBits.from_odds(odds, 4, most)
    total = 60
    others = [
        design
        for hit in range(2, total)
        for miss in range(1, hit)
        if (design := PerOptionBits(4, most, hit, miss, total)).odds <= odds
    ]

    assert symmetric.odds <= odds
    assert min(design.worst_variance for design in others) >= symmetric.worst_variance * (
        1 - Fraction(1, 10**6)
    )


@pytest.mark.parametrize("options", [2, 5, 16])
def test_one_tick_of_all_is_unary_encoding(options: int):
    """The odds of a symmetric bit's square, as for a choice, though none may be ticked here."""
    unary = SymmetricUnary(options, 2, 1)
    bits = PerOptionBits(options, 1, 2, 1, 3)

    assert (unary.odds, unary.rates) == (bits.odds, bits.rates)


@pytest.mark.parametrize(
    "spec",
    [
        {"name": "per-option-bits/1", **changed}
        for changed in (
            {"most": 0, "hit": 3, "miss": 1, "total": 4},
            {"most": 5, "hit": 3, "miss": 1, "total": 4},
            {"most": True, "hit": 3, "miss": 1, "total": 4},
            {"most": 4, "hit": 1, "miss": 1, "total": 4},
            {"most": 4, "hit": 1, "miss": 3, "total": 4},
            {"most": 4, "hit": 4, "miss": 1, "total": 4},
            {"most": 4, "hit": 3, "miss": 0, "total": 4},
            {"most": 4, "hit": 3, "miss": 1, "total": (1 << 32) + 1},
            {"most": 4, "hit": 3.0, "miss": 1, "total": 4},
            {"most": 4, "hit": 3, "miss": 1},
            {"most": 4, "hit": 3, "miss": 1, "total": 4, "more": 1},
        )
    ]
    + [
        {"name": "sampled-options/1", **changed}
        for changed in (
            {"most": 0, "asked": 1, "keep": 3, "lie": 1},
            {"most": 4, "asked": 0, "keep": 3, "lie": 1},
            {"most": 4, "asked": 5, "keep": 3, "lie": 1},
            {"most": 4, "asked": 1.0, "keep": 3, "lie": 1},
            {"most": 4, "asked": 1, "keep": 1, "lie": 1},
            {"most": 4, "asked": 1, "keep": 3, "lie": 0},
            {"most": 4, "asked": 1, "keep": 1 << 32, "lie": 1},
            {"most": 4, "asked": 1, "keep": 3},
        )
    ],
    ids=str,
)
def test_a_spec_that_does_not_fit_is_refused(spec: dict):
    """Certain bits, equal bits, too many ticks, look-alikes and unknown parameters."""
    with pytest.raises(MechanismError):
        from_spec(spec, 16)


@pytest.mark.parametrize("answers", [1, 3, 6, 17, (1 << 65)])
@pytest.mark.parametrize("kind", KINDS)
def test_a_number_of_answers_that_are_no_sets_is_refused(kind, answers: int):
    """Neither 2**k masks for k of 1 to 64, nor anything between."""
    with pytest.raises(MechanismError):
        from_spec(kind.from_odds(Fraction(3), 1).spec(), answers)


def test_reports_stay_within_four_bytes():
    """Of 64 options at most 26 are asked at once."""
    assert SampledOptions(64, 64, 26).reports == 1 << 32
    with pytest.raises(MechanismError, match="4 bytes"):
        SampledOptions(64, 64, 27)
