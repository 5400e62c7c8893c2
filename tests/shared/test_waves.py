"""What waves cost, by enumeration: both stages, all sequences of answers, all reports."""

from collections.abc import Iterator, Sequence
from datetime import date
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import comb, lcm, log, prod

import pytest
from walking import Led, channel_row

from tossup.shared.errors import ManifestError, MechanismError
from tossup.shared.mechanisms import (
    KaryRandomizedResponse,
    Mechanism,
    PermanentInstantaneous,
    RandomizedResponse,
    Rappor,
    SubsetSelection,
    TwoCoin,
    from_spec,
)
from tossup.shared.waves import Waves

MONDAY = date(2027, 1, 4)

PAIRS = [
    PermanentInstantaneous(options, keep, lie, again_keep, again_lie)
    for options in (2, 3, 4, 7)
    for keep, lie in ((3, 1), (5, 2))
    for again_keep, again_lie in ((2, 1), (3, 1), (9, 4))
]
MASKS = [
    Rappor(options, keep, lie, one, zero, out_of)
    for options in (2, 3)
    for keep, lie in ((3, 1), (5, 2))
    for one, zero, out_of in ((3, 2, 4), (3, 1, 4), (2, 1, 5))
]
TWO_STAGES: list[Mechanism] = [*PAIRS, *MASKS]

Sequences = Sequence[Sequence[int]]


def ids(mechanism: Mechanism) -> str:
    return f"{mechanism.spec()} of {mechanism.answers}"


class OfKept:
    """The second stage by itself: what is kept takes the place of the answer."""

    def __init__(self, mechanism: Mechanism) -> None:
        self.perturb = mechanism.again


@cache
def second_stage(mechanism: Mechanism) -> list[dict[int, Fraction]]:
    """Pr[report | kept] by walking all coins of the second stage."""
    return [channel_row(OfKept(mechanism), kept) for kept in range(mechanism.memory.reports)]


def chance_of(mechanism: Mechanism, answer: int, reports: Sequence[int]) -> Fraction:
    """Pr[these reports of one kept value | answer]: the sum over all that may be kept."""
    return sum(
        mechanism.memory.probability(answer, kept) * prod(row.get(y, 0) for y in reports)
        for kept, row in enumerate(second_stage(mechanism))
    )


def largest_ratio(columns: Iterator[Sequence[Fraction]]) -> Fraction:
    return max(max(column) / min(column) for column in columns if any(column))


@pytest.mark.parametrize("mechanism", PAIRS, ids=ids)
def test_the_sampler_is_the_channel(mechanism: PermanentInstantaneous):
    """Over all choices of both stages' coins, each report comes with exactly its probability."""
    for answer in range(mechanism.answers):
        assert dict(enumerate(mechanism.channel()[answer])) == channel_row(mechanism, answer)
        assert 1 == sum(mechanism.channel()[answer])


@pytest.mark.parametrize("mechanism", TWO_STAGES, ids=ids)
def test_one_report_is_the_second_stage_of_what_is_kept(mechanism: Mechanism):
    """Keeping first and reporting later has the channel of doing both at once."""
    for answer, report in product(range(mechanism.answers), range(mechanism.reports)):
        found = chance_of(mechanism, answer, [report])

        assert mechanism.probability(answer, report) == found


@pytest.mark.parametrize("mechanism", TWO_STAGES, ids=ids)
def test_odds_by_enumeration(mechanism: Mechanism):
    """The odds of a report are the largest ratio over all reports and pairs of answers."""
    rows = [
        [mechanism.probability(answer, y) for y in range(mechanism.reports)]
        for answer in range(mechanism.answers)
    ]

    assert mechanism.odds == mechanism.odds_of(1) == largest_ratio(zip(*rows, strict=True))


@pytest.mark.parametrize("mechanism", TWO_STAGES, ids=ids)
def test_odds_of_many_reports_by_enumeration(mechanism: Mechanism):
    """Over all sequences of reports of one kept value and all pairs of answers."""
    most = {2: 5, 3: 3, 4: 3, 7: 2, 8: 2}[mechanism.reports]
    for n in range(1, most + 1):
        columns = (
            [chance_of(mechanism, answer, reports) for answer in range(mechanism.answers)]
            for reports in product(range(mechanism.reports), repeat=n)
        )

        assert mechanism.odds_of(n) == largest_ratio(columns)


@pytest.mark.parametrize("mechanism", TWO_STAGES, ids=ids)
def test_no_number_of_reports_tells_more_than_what_is_kept(mechanism: Mechanism):
    """Odds grow with the reports, and never beyond those of the memory."""
    odds = [mechanism.odds_of(n) for n in (1, 2, 3, 12, 365)]

    assert sorted(set(odds)) == odds
    assert odds[-1] < mechanism.memory.odds


@pytest.mark.parametrize("mechanism", TWO_STAGES, ids=ids)
def test_a_spec_gives_the_mechanism_back(mechanism: Mechanism):
    """What stands in a manifest is the whole mechanism."""
    assert mechanism == from_spec(mechanism.spec(), mechanism.answers)


@pytest.mark.parametrize("mechanism", [TwoCoin(), KaryRandomizedResponse(5), SubsetSelection(8, 2)])
def test_a_single_stage_is_resent_as_it_is(mechanism: Mechanism):
    """Other mechanisms keep their report and toss nothing again."""
    coins = Led([])

    assert [3] == [mechanism.again(3, coins)]
    assert [] == coins.sizes
    assert mechanism.memory.odds == mechanism.odds_of(100) == mechanism.odds


@pytest.mark.parametrize(
    ("kind", "parameters"),
    [
        (PermanentInstantaneous, (2, 1, 1, 3, 1)),
        (PermanentInstantaneous, (2, 3, 1, 1, 1)),
        (PermanentInstantaneous, (2, 3, 1, 3, 0)),
        (PermanentInstantaneous, (2, 3, 1, True, 1)),
        (PermanentInstantaneous, (1, 3, 1, 3, 1)),
        (PermanentInstantaneous, (257, 3, 1, 3, 1)),
        (PermanentInstantaneous, (2, 1 << 16, 1, 1 << 16, 1)),
        (Rappor, (4, 1, 1, 3, 1, 4)),
        (Rappor, (4, 3, 1, 1, 1, 4)),
        (Rappor, (4, 3, 1, 4, 1, 4)),
        (Rappor, (4, 3, 1, 3, 0, 4)),
        (Rappor, (4, 3, 1, 3, 1, 4.0)),
        (Rappor, (1025, 3, 1, 3, 1, 4)),
        (Rappor, (4, 3, 1, 3, 1, 1 << 31)),
    ],
)
def test_designs_that_protect_nobody_or_tell_nothing_are_refused(kind, parameters):
    """Weights of 0, stages that say nothing, and sums that no SDK can follow."""
    with pytest.raises(MechanismError):
        kind(*parameters)


# f, p, q and h of the paper; epsilon of one report and for life, at double precision.
PAPER = [
    ("1/2", "1/2", "3/4", 1, 0.537142932083364, 2.1972245773362196, 8.0),
    ("1/2", "1/2", "3/4", 2, 1.074285864166728, 4.394449154672439, 8.0),
    ("1/4", "7/20", "13/20", 2, 1.8313323745019214, 7.783640596221253, 4.444444444444445),
    ("1/2", "1/4", "3/4", 1, 1.0216512475319814, 2.1972245773362196, 4.0),
    ("3/4", "1/2", "3/4", 2, 0.5342750864402974, 2.043302495063963, 16.0),
    ("1/5", "1/10", "9/10", 4, 12.130779914944707, 17.577796618689757, 1.5625),
]


@pytest.mark.parametrize(("f", "p", "q", "hashes", "once", "life", "scale"), PAPER)
def test_rappor_has_the_values_of_the_paper(f, p, q, hashes, once, life, scale):
    """Theorems 1 and 2; h hash functions set h bits, whose odds multiply."""
    f, p, q = Fraction(f), Fraction(p), Fraction(q)
    lie, total = (f / 2).as_integer_ratio()
    out_of = lcm(p.denominator, q.denominator)
    design = Rappor(2, total - lie, lie, int(q * out_of), int(p * out_of), out_of)
    rate_without, rate_with = design.rates

    assert hashes * log(design.odds) == pytest.approx(once, rel=1e-12)
    assert hashes * log(design.memory.odds) == pytest.approx(life, rel=1e-12)
    assert float(1 / (rate_with - rate_without)) == pytest.approx(scale, rel=1e-12)


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
        found = largest_ratio(zip(*rows, strict=True))

        assert {Fraction(1)} == {sum(row) for row in rows}
        assert found == (mechanism.odds_of(count) if times is None else waves.odds(mechanism))
        assert found <= waves.odds(mechanism)


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


@pytest.mark.parametrize(
    ("day", "wave"),
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


@pytest.mark.parametrize(
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
