"""What holds for every mechanism of the registry, each over a sweep of sizes and odds.

Designs are found by the catalogue, so that a new mechanism is swept as soon as it is registered.
What follows are the kinds of faults that were found again and again in public libraries (see
docs/explanation/known-faults.md): parameters that are no numbers, answers and reports outside
their range, channels that miss a part, positions that are sent as they are, draws that depend on
the answer, and odds above those asked for.
"""

from collections.abc import Iterator
from copy import deepcopy
from fractions import Fraction
from functools import cache
from hashlib import shake_256
from itertools import pairwise
from math import ceil, inf, log, nan
from typing import Any

import numpy as np
import pytest
from sweeps import each

from tossup.server.catalogue import answers_of, channel, design, is_listable
from tossup.server.estimation import estimate_shares
from tossup.server.kernels import kernel_of
from tossup.server.kernels.tossing.source import seeded
from tossup.server.kinds.spread import variance
from tossup.server.surveys.verification import recomputed_odds
from tossup.shared.coins import Coins
from tossup.shared.errors import AnswerError, MechanismError
from tossup.shared.mechanisms import (
    MECHANISMS,
    FrequencyOracle,
    Mechanism,
    RandomizedResponse,
    TwoCoin,
    from_spec,
)

#: Powers of two, their neighbours and others; odd squares are the boxes of small vectors.
SIZES = (2, 3, 4, 7, 9, 16, 25)
ODDS = (Fraction(101, 100), Fraction(3), Fraction(22, 3))
#: A channel with more cells is left to the sweeps of its own family.
CELLS = 1 << 12

#: Reports that are estimated from one by one.
FEW_REPORTS = 256

#: These take long to design, and are the same to every size.
SLOW = ("discrete-gaussian/1", "noisy-max-laplace/1", "permute-and-flip/1")

#: How far below those that it names a mechanism's odds may be, in proportion: a step of decay is
#: a ratio of 60 binary digits.
MISSING = {"entry-laplace/1": Fraction(1, 2**38)}

NO_NUMBERS = (nan, inf, -inf, 1e300, 0.5, 3.0, "3", None, True, [], {}, Fraction(3))


def designs(name: str) -> Iterator[tuple[Fraction, Mechanism]]:
    """Yield the odds asked and the design, wherever the mechanism has one."""
    for options in SIZES[:4] if name in SLOW else SIZES:
        for odds in ODDS:
            try:
                yield odds, design(name, options, odds)
            except MechanismError:
                continue


@cache
def swept(name: str) -> list[tuple[Fraction, Mechanism]]:
    """Return them, made once; of a mechanism that has none of these odds, its examples."""
    return list(designs(name)) or [(each.odds, each) for each in MECHANISMS[name].examples()]


each_name = each("name", MECHANISMS)


def small(name: str) -> list[Mechanism]:
    """Return those whose channel is short enough to go through."""
    every = [made for _, made in swept(name)]
    return [m for m in every if is_listable(m) and m.answers * m.reports <= CELLS]


def some_answers(mechanism: Mechanism) -> list[int]:
    """Return the first, the second, the middle and the last answer that there is."""
    if mechanism.answers <= 1 << 10:
        every = answers_of(mechanism)
        return [every[0], every[1], every[len(every) // 2], every[-1]]
    candidates = (0, 1, mechanism.answers // 2, mechanism.answers - 1)
    return [answer for answer in candidates if mechanism.is_answer(answer)]


def refusing(count: int) -> bytes:
    raise AssertionError(f"{count} bytes of coins were drawn")


@each_name
def test_every_mechanism_is_swept(name: str):
    """At least one size with several odds, or the only odds that it has."""
    assert len(swept(name)) >= (1 if name == "two-coin/1" else 3)


@each_name
def test_a_channel_sums_to_one_and_proves_nothing(name: str):
    """Every row is a distribution, and no report comes from some answers only: none is certain."""
    for mechanism in small(name):
        rows = channel(mechanism)

        assert {Fraction(1)} == {sum(row) for row in rows}
        assert all(
            len({chance > 0 for chance in column}) == 1 for column in zip(*rows, strict=True)
        )


@each_name
def test_odds_that_are_enumerated_are_never_above_those_asked(name: str):
    """Those that the mechanism names, and where its channel is small those of the channel."""
    for asked, mechanism in swept(name):
        assert mechanism.odds <= asked
        if mechanism in small(name) and not mechanism.delta:
            missing = mechanism.odds - recomputed_odds(mechanism)
            assert 0 <= missing <= mechanism.odds * MISSING.get(name, Fraction(0))


@each_name
def test_a_spec_gives_the_mechanism_back(name: str):
    """What stands in a manifest is the whole mechanism, and its name is versioned."""
    for _, mechanism in swept(name):
        assert mechanism == from_spec(mechanism.spec(), mechanism.answers)
        assert name == mechanism.name == mechanism.spec()["name"]


def spoiled(value: Any, bad: object) -> Iterator[Any]:
    """Yield copies of a parameter with each number in it replaced, however deep it stands."""
    if isinstance(value, list):
        for place, part in enumerate(value):
            for other in spoiled(part, bad):
                copy = deepcopy(value)
                copy[place] = other
                yield copy
    elif isinstance(value, dict):
        for key, part in value.items():
            for other in spoiled(part, bad):
                yield value | {key: other}
    else:
        yield bad


@each_name
@each("bad", NO_NUMBERS)
def test_parameters_that_are_no_counting_numbers_are_refused(name: str, bad: object):
    """NaN, infinity, fractions, text, a truth value: wherever a number stands."""
    spec = swept(name)[0][1].spec()
    answers = swept(name)[0][1].answers
    for key in [key for key in spec if key != "name"]:
        for value in spoiled(spec[key], bad):
            with pytest.raises(MechanismError):
                from_spec({**spec, key: value}, answers)


@each_name
@each("huge", [1 << 20, 1 << 32, 1 << 70, -1, -(1 << 70)])
def test_a_huge_or_negative_parameter_is_refused_or_paid_for(name: str, huge: int):
    """At once, whatever it stands for; odds that it makes are said, and scores may be negative."""
    asked, mechanism = swept(name)[0]
    spec = mechanism.spec()
    for key in [key for key in spec if key not in {"name", "salt", "utility"}]:
        for value in spoiled(spec[key], huge):
            try:
                made = from_spec({**spec, key: value}, mechanism.answers)
            except MechanismError:
                continue
            assert made.spec()[key] == value
            assert huge > 0
            assert made.odds > asked or key not in {"keep", "hit"}


@each_name
def test_parameters_missing_or_unknown_are_refused(name: str):
    """A manifest says exactly what the mechanism needs."""
    mechanism = swept(name)[0][1]
    spec = mechanism.spec()
    for key in [key for key in spec if key != "name"]:
        with pytest.raises(MechanismError):
            from_spec({k: v for k, v in spec.items() if k != key}, mechanism.answers)
    with pytest.raises(MechanismError):
        from_spec({**spec, "epsilon": 9}, mechanism.answers)
    with pytest.raises(MechanismError):
        from_spec({**spec, "name": name[:-1] + "2"}, mechanism.answers)


@each_name
def test_an_answer_outside_the_domain_draws_nothing(name: str):
    """Out of range on either side, or only like an answer: refused before a coin is tossed."""
    for _, mechanism in swept(name)[::3]:
        beyond = (-1, mechanism.answers, mechanism.answers + 1000, -mechanism.answers, 1 << 4096)
        for answer in (*beyond, None, True, False, 1.0, nan, inf, "1", b"", [], {0}, Fraction(1)):
            with pytest.raises(AnswerError):
                mechanism.perturb(answer, Coins(refusing))  # type: ignore[arg-type]


@each_name
def test_a_report_outside_the_range_is_none(name: str):
    """-1, the first number beyond, 1000 more: no report, and of probability 0."""
    for _, mechanism in swept(name):
        for report in (-1, -1000, mechanism.reports, mechanism.reports + 1000, 1 << 4096):
            assert not mechanism.is_report(report)
            if is_listable(mechanism):
                assert 0 == mechanism.probability(some_answers(mechanism)[0], report)


@each_name
def test_a_possible_report_is_one_that_the_channel_knows(name: str):
    """What `is_report` says is what some answer gives, number by number."""
    for mechanism in small(name):
        columns = zip(*channel(mechanism), strict=True)

        assert [any(column) for column in columns] == [
            mechanism.is_report(report) for report in range(mechanism.reports)
        ]


def draws(mechanism: Mechanism, answer: int, seed: bytes) -> list[int]:
    """Return how many bytes are drawn each time, from one fixed stream of them."""
    sizes: list[int] = []

    def source(count: int) -> bytes:
        sizes.append(count)
        return shake_256(seed + len(sizes).to_bytes(4, "big")).digest(count)

    mechanism.perturb(answer, Coins(source))
    return sizes


@each_name
def test_the_same_bytes_take_every_answer_the_same_way(name: str):
    """How often and how much is drawn does not depend on the answer: time tells nothing."""
    for _, mechanism in swept(name)[::4]:
        for seed in range(8):
            found = [draws(mechanism, a, bytes([seed])) for a in some_answers(mechanism)]

            assert all(one == other for one, other in pairwise(found))


@each_name
def test_every_position_is_randomized(name: str):
    """From the first and the last answer, 400 reports are not all the same one.

    None has a probability above 9/10, which is asserted where the channel is small; that 400 agree
    has one below 1e-18, and below 1e-14 in any of the sweep.
    """
    for _, mechanism in swept(name):
        if mechanism.odds <= 8:
            for answer in some_answers(mechanism)[:: len(some_answers(mechanism)) - 1]:
                first = mechanism.perturb(answer)
                assert any(mechanism.perturb(answer) != first for _ in range(399)), mechanism
    assert all(
        max(row) <= Fraction(9, 10)
        for mechanism in small(name)
        if mechanism.odds <= 8
        for row in channel(mechanism)
    )


def estimates_of_one(mechanism: Mechanism) -> list[float]:
    """Return what the server estimates of the last option from each report by itself."""
    width = -(-(mechanism.reports - 1).bit_length() // 8) or 1
    kernel, found = kernel_of(mechanism), []
    for report in range(mechanism.reports):
        column = np.frombuffer(report.to_bytes(width, "little"), dtype=np.uint8)
        tally = kernel.count(column if width == 1 else column.reshape(1, width)).tolist()
        shares = estimate_shares(tally, mechanism)
        found.append(float(shares.values[-1]))
    return found


NAMING = [
    name
    for name, kind in MECHANISMS.items()
    if kind is TwoCoin or issubclass(kind, FrequencyOracle | RandomizedResponse)
]


@each("name", NAMING)
def test_a_formula_for_the_variance_is_that_of_the_estimates(name: str):
    """Over all reports of all answers, at shares of 0, 1/10 and 1: fault 13, for all that name.

    One respondent's estimate has n times the variance of the share; others share the rest alike.
    """
    tried = 0
    for mechanism in small(name):
        if mechanism.reports > FEW_REPORTS:
            continue
        estimates, rows = estimates_of_one(mechanism), channel(mechanism)
        for share in (Fraction(0), Fraction(1, 10), Fraction(1)):
            truth = [*[(1 - share) / (len(rows) - 1)] * (len(rows) - 1), share]
            chances = [
                float(sum(part * cell for part, cell in zip(truth, column, strict=True)))
                for column in zip(*rows, strict=True)
            ]
            told = list(zip(chances, estimates, strict=True))
            found = sum(p * (value - float(share)) ** 2 for p, value in told)
            expected = variance(mechanism, share)

            assert pytest.approx(float(share), abs=1e-9) == sum(p * value for p, value in told)
            assert expected is not None
            assert pytest.approx(float(expected[1]), rel=1e-9, abs=1e-9) == found
            tried += 1
    assert tried >= 3


@each_name
def test_people_do_not_share_their_coins(name: str):
    """So many fresh reports to one truth that all are alike with probability below 1e-9: fault 25.

    Where no report of a channel is known to be the likeliest, it is taken to have 0.9 at most.
    """
    for _, mechanism in swept(name)[:: max(1, len(swept(name)) // 3)]:
        answer = some_answers(mechanism)[0]
        listed = mechanism in small(name)
        likeliest = (
            max(mechanism.probability(answer, report) for report in range(mechanism.reports))
            if listed
            else Fraction(9, 10)
        )
        people = ceil(log(1e-9) / log(likeliest)) + 1

        assert 1 < len({mechanism.perturb(answer) for _ in range(people)})


@each_name
def test_a_seed_repeats_a_simulation_digit_by_digit(name: str):
    """The same seed gives the same tally, others give others, and none is kept afterwards.

    Two seeds agree by chance on a tally of few kinds, about one time in ten; nine never do.
    """
    for mechanism in small(name)[:3]:
        truth = dict.fromkeys(some_answers(mechanism), 40)
        people = [truth.get(answer, 0) for answer in range(mechanism.answers)]
        tallies = []
        for seed in (7, 7, *range(8, 16), None):
            with seeded(seed):
                tallies.append(kernel_of(mechanism).simulate(people).tolist())
        first, again, *others = tallies

        assert first == again
        assert any(first != other for other in others) or len(first) <= 2
