"""What mechanisms for several of k options have in common, by enumeration."""

import os
from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from channels import answers_of, channel
from hypothesis import given, settings
from hypothesis import strategies as st
from small_designs import of, registered
from sweeps import each

from tossup.shared.coins import Coins
from tossup.shared.errors import AnswerError, MechanismError
from tossup.shared.mechanisms import (
    PerOptionBits,
    SampledOptions,
    SeveralMechanism,
    from_spec,
    naming_chances,
)

DESIGNS: list[SeveralMechanism] = of(SeveralMechanism)
KINDS = registered(SeveralMechanism)
ODDS = [Fraction(101, 100), Fraction(3, 2), Fraction(3), Fraction(22, 3), Fraction(700)]


def test_every_such_mechanism_of_the_registry_is_swept():
    """A new mechanism cannot be left out here."""
    assert {PerOptionBits, SampledOptions} <= set(KINDS) == {type(design) for design in DESIGNS}


@each("mechanism", DESIGNS)
def test_the_answers_are_the_sets_of_at_most_so_many(mechanism: SeveralMechanism):
    """None ticked is an answer; one more than allowed is none, and neither is another option."""
    sizes = Counter(answer.bit_count() for answer in answers_of(mechanism))

    assert set(range(mechanism.most + 1)) == set(sizes)
    assert not mechanism.is_answer(-1)
    assert not mechanism.is_answer(1 << mechanism.options)


@each("mechanism", DESIGNS)
def test_what_a_report_tells_by_enumeration(mechanism: SeveralMechanism):
    """Each option is asked with one probability, and said to be ticked with p, or else with q."""
    q, p = mechanism.rates
    for answer, row in zip(answers_of(mechanism), channel(mechanism), strict=True):
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


@each("mechanism", DESIGNS)
def test_a_report_names_an_option_or_not(mechanism: SeveralMechanism):
    """What a report says of an option that it asks is a two-by-two channel."""
    q, p = mechanism.rates

    assert ((1 - q, q), (1 - p, p)) == naming_chances(mechanism)


@each("kind", KINDS)
@each("options, most", [(1, 1), (2, 1), (3, 3), (8, 2), (20, 3), (64, 64)])
def test_realised_odds_are_never_above_those_asked(kind, options: int, most: int):
    """From an odds of 101 to 100 to one of 700, and at least 0.999 of what is above 1 is used."""
    for odds in ODDS:
        realised = kind.from_odds(odds, options, most).odds

        assert realised <= odds
        assert (realised - 1) / (odds - 1) > Fraction(999, 1000)


@each("kind", KINDS)
@each("options, most", [(1, 1), (2, 2), (5, 2), (16, 16), (64, 3)])
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


@each("kind", KINDS)
@each("answer", [None, True, 1.0, "1", -1, 0b111, 0b11011, 32, 1 << 70, float("nan"), [], {0}])
def test_what_is_no_set_of_at_most_two_draws_nothing(kind, answer: object):
    """A look-alike, an unknown option and three ticks are refused before a coin is tossed."""

    def source(count: int) -> bytes:
        raise AssertionError("a coin was tossed")

    with pytest.raises(AnswerError):
        kind.from_odds(Fraction(3), 5, 2).perturb(answer, Coins(source))


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=60)
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


@each("answers", [1, 3, 6, 17, (1 << 65)])
@each("kind", KINDS)
def test_a_number_of_answers_that_are_no_sets_is_refused(kind, answers: int):
    """Neither 2**k masks for k of 1 to 64, nor anything between."""
    with pytest.raises(MechanismError):
        from_spec(kind.from_odds(Fraction(3), 1).spec(), answers)
