"""What waves cost, by enumeration: all sequences of answers, all reports."""

from collections.abc import Iterator, Sequence
from datetime import date
from fractions import Fraction
from itertools import combinations, product
from math import comb, prod

import pytest
from channels import largest_ratio
from sweeps import each
from two_stages import chance_of

from tossup.shared.errors import ManifestError
from tossup.shared.mechanisms import (
    DBitFlip,
    KaryRandomizedResponse,
    Mechanism,
    MemoMechanism,
    OneBitMean,
    PermanentInstantaneous,
    RandomizedResponse,
    Rappor,
    TwoCoin,
)
from tossup.shared.waves import Waves

MONDAY = date(2027, 1, 4)

# Answers that change


def chances(waves: Waves, mechanism: Mechanism, answers: Sequence[int]) -> list[Fraction]:
    """Pr[everything that a device sends] for these answers, wave by wave, in a fixed order.

    Permanent: one kept value, a report of it in every wave, whatever is answered later. Afresh:
    which waves it is asked in, and an independent report of each.
    """
    every = range(mechanism.reports)
    if waves.times is None:
        return [
            chance_of(mechanism, answers[0], reports)
            for reports in product(every, repeat=waves.count)
        ]
    turns = list(combinations(range(waves.count), waves.times))
    return [
        Fraction(1, len(turns))
        * prod(mechanism.probability(answers[t], y) for t, y in zip(turn, reports, strict=True))
        for turn in turns
        for reports in product(every, repeat=waves.times)
    ]


@pytest.mark.parametrize(
    ("mechanism", "count"),
    [
        (TwoCoin(), 4),
        (RandomizedResponse(((4, 1), (2, 3))), 4),
        (PermanentInstantaneous(2, 3, 1, 3, 1), 4),
        (KaryRandomizedResponse(3, 5, 2), 3),
        (Rappor(2, 3, 1, 3, 2, 4), 2),
    ],
    ids=str,
)
def test_odds_for_life_over_all_pairs_of_sequences(mechanism: Mechanism, count: int):
    """However answers change from wave to wave: every sequence against every other."""
    for times in (None, *range(1, count + 1)):
        if times is not None and mechanism.memory != mechanism:
            continue
        waves = Waves(count, MONDAY, 7, times)
        sequences = product(range(mechanism.answers), repeat=count)
        rows = [chances(waves, mechanism, answers) for answers in sequences]
        found = largest_ratio(rows)

        assert {Fraction(1)} == {sum(row) for row in rows}
        assert found == (mechanism.odds_of(count) if times is None else waves.odds(mechanism))
        assert found <= waves.odds(mechanism)


@each("mechanism", [OneBitMean(5), DBitFlip(5, 2), DBitFlip(5, 5)])
@each("times", [2, 3, 16])
def test_what_waves_through_a_memo_cost(mechanism: MemoMechanism, times: int):
    """All of it to whoever has the memo, wave by wave; the reports alone are told beside it."""
    waves = Waves(20, MONDAY, 7, times)

    assert mechanism.given_memo.odds**times == waves.odds(mechanism)
    assert mechanism.odds_of(times) == waves.odds_of_reports(mechanism) < waves.odds(mechanism)


def test_the_odds_of_reports_without_what_a_device_keeps():
    """Of a kept value those of so many reports; of fresh tosses all that is sent."""
    kept = PermanentInstantaneous(2, 9, 1, 3, 1)

    assert kept.odds_of(12) == Waves(12, MONDAY, 7).odds_of_reports(kept) < 9
    assert 3 == Waves(12, MONDAY, 7).odds_of_reports(TwoCoin())
    assert 27 == Waves(12, MONDAY, 7, times=3).odds_of_reports(TwoCoin())


def memoized(keep: int, again: int, answers: Sequence[int]) -> Iterator[Fraction]:
    """Pr[reports] if a device kept a value for *each* answer, and sent the one in force.

    ``again`` is the odds of a second stage; 0 for none. All in units of one over a constant.
    """
    for reports in product((0, 1), repeat=len(answers)):
        yield sum(
            (keep if kept[0] == 0 else 1)
            * (keep if kept[1] == 1 else 1)
            * prod(
                again or 1 if y == kept[x] else min(again, 1)
                for x, y in zip(answers, reports, strict=True)
            )
            for kept in product((0, 1), repeat=2)
        )


def memoized_odds(keep: int, again: int, count: int) -> Fraction:
    rows = [list(memoized(keep, again, a)) for a in product((0, 1), repeat=count)]
    return max(Fraction(max(column), min(column)) for column in zip(*rows, strict=True))


def spread(odds: Fraction) -> Fraction:
    """n times the variance of a share of 1/2 from symmetric reports of these odds."""
    return ((odds + 1) / (odds - 1)) ** 2 / 4


def test_a_memo_for_each_answer_shows_that_an_answer_changed():
    """Without a second stage two different reports prove a change: no finite odds."""
    steady, changed = ([*memoized(3, 0, answers)] for answers in ((0, 0), (0, 1)))

    assert [0, 0] == steady[1:3]
    assert all(changed[1:3])


def test_a_memo_for_each_answer_names_it_to_whoever_holds_the_device():
    """The two memos differ in 5 of 8 devices of two coins; there a report is the answer."""
    differ = sum(
        TwoCoin().probability(0, first) * TwoCoin().probability(1, second)
        for first, second in ((0, 1), (1, 0))
    )

    assert Fraction(5, 8) == differ


def fewer_waves(life: Fraction, count: int) -> float:
    """n times the variance in a wave, if devices toss afresh in the best number of the waves."""
    return min(
        float(spread(Fraction(float(life) ** (1 / times)))) * count / times
        for times in range(1, count + 1)
    )


@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_a_memo_for_each_answer_is_seldom_better_than_fewer_waves(count: int):
    """At the same odds for life, tossing afresh in some of the waves has less variance a wave.

    Up to odds of 10 for life always; up to 729 a memo for each answer saves at most a quarter.
    """
    for keep, again in product((2, 3, 5, 9, 16, 30), (2, 3, 5, 9, 12, 30)):
        life = memoized_odds(keep, again, count)
        memo = float(spread(Fraction(keep * again + 1, keep + again)))
        saved = 1 - memo / fewer_waves(life, count)

        assert saved <= (0 if life <= 10 else 0.25) + 1e-9 or life > 729


def test_the_odds_of_a_memo_for_each_answer_have_no_bound():
    """Every second wave multiplies the worst case by the odds of the second stage."""
    odds = [memoized_odds(9, 3, count) for count in (3, 5)]

    assert odds[1] / odds[0] > Fraction(29, 10)


# The calendar and the manifest


@each(
    "day, wave",
    [
        (date(2027, 1, 3), None),
        (MONDAY, 1),
        (date(2027, 1, 10), 1),
        (date(2027, 1, 11), 2),
        (date(2027, 3, 28), 12),
        (date(2027, 3, 29), None),
    ],
)
def test_a_day_is_in_one_wave(day: date, wave: int | None):
    """Twelve weeks from a Monday, and no wave before or after."""
    assert wave == Waves(12, MONDAY, 7).on(day)


def test_waves_begin_one_after_the_other():
    """The first day of each wave is in it, the day before is not."""
    waves = Waves(12, MONDAY, 7)

    assert list(range(1, 13)) == [waves.on(waves.starts(wave)) for wave in range(1, 13)]


@each(
    "parts",
    [
        (1, MONDAY, 7),
        (257, MONDAY, 7),
        (True, MONDAY, 7),
        (12, MONDAY, 0),
        (12, MONDAY, 3661),
        (12, MONDAY, 7, 0),
        (12, MONDAY, 7, 13),
        (12, MONDAY, 7, True),
        (12, date(9999, 12, 1), 7),
    ],
)
def test_impossible_waves_are_refused(parts):
    """Each message says what waves may be."""
    with pytest.raises(ManifestError, match="waves: "):
        Waves(*parts)


def test_the_number_of_turns_is_what_the_odds_are_for():
    """A device that is asked in m of T waves: C(T, m) ways, equally likely."""
    assert 66 == comb(12, 2)
    assert 9 == Waves(12, MONDAY, 7, times=2).odds(TwoCoin())
