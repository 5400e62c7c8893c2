"""Texts that nobody listed: common ones are found, and their intervals hold the truth."""

from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import sqrt
from pathlib import Path

import numpy as np
import pytest
from channels import column_of
from hypothesis import given, settings
from hypothesis import strategies as st
from sweeps import each, proving

from tossup.server.estimation import EstimationError
from tossup.server.estimation.texts import (
    estimate_texts,
    reports_needed,
    shares,
    shares_of_texts,
    smallest_found,
)
from tossup.server.estimation.texts.hashing import block_hashes, buckets_of
from tossup.server.estimation.texts.search import search
from tossup.server.estimation.texts.sketch import Sketch, sketch
from tossup.server.kernels import kernel_of
from tossup.server.kernels.slots import SlotKernel
from tossup.server.kinds import needed as designs
from tossup.server.kinds import simulate
from tossup.server.kinds.choosing.text import By, for_text, oracles
from tossup.shared.errors import MechanismError
from tossup.shared.kinds.text import FreeText, characters_of
from tossup.shared.mechanisms import (
    HadamardResponse,
    KaryRandomizedResponse,
    LocalHashing,
    OptimizedUnary,
    PrefixExtending,
    ProjectiveGeometryResponse,
    SubsetSelection,
    SymmetricUnary,
)
from tossup.shared.mechanisms.choices.oracle import MaskOracle
from tossup.shared.survey import Question

SMALL = [
    PrefixExtending(2, (1, 2), 2, ProjectiveGeometryResponse(4, 3)),
    PrefixExtending(3, (2,), 9, HadamardResponse(3, 5, 2), salt=3),
    PrefixExtending(1, (1, 2), 1, LocalHashing(4, 2)),
    PrefixExtending(2, (1, 2), 2, KaryRandomizedResponse(5, 5, 2)),
    PrefixExtending(2, (1, 2), 2, SubsetSelection(5, 2), salt=1),
    PrefixExtending(3, (1,), 3, SymmetricUnary(4, 2, 1)),
    PrefixExtending(1, (1, 2), 2, OptimizedUnary(6), salt=2),
]
#: The oracles that texts take by name, and are not taken by themselves.
OTHER_ORACLES = ["k-ary", "subset-selection", "symmetric-unary", "optimized-unary"]
WORDS = FreeText(characters_of("a-z"), 6)
DESIGN = for_text(WORDS, None, Fraction(9))
SURE = 1 - 1e-7


def ids(design: PrefixExtending) -> str:
    return f"{design.characters}-{design.lengths}-{design.oracle.name}"


def kernel(design: PrefixExtending) -> SlotKernel:
    found = kernel_of(design)
    assert isinstance(found, SlotKernel)
    return found


#: 100 texts that share the respondents whose text a test does not name.
OTHERS = ["".join(word) for word in product("bcdfghjklmnpqrstvwxz", repeat=3)][::80]


def population(shares: dict[str, float], n: int, texts: FreeText = WORDS) -> dict[int, int]:
    """How many of n respondents have each text; those without a named one have one of `OTHERS`."""
    truth = {texts.place(text): round(share * n) for text, share in shares.items()}
    rest = n - sum(truth.values())
    for at, word in enumerate(OTHERS):
        truth[texts.place(word)] = rest * (at + 1) // len(OTHERS) - rest * at // len(OTHERS)
    return truth


def reports(truth: dict[int, int], design: PrefixExtending = DESIGN) -> tuple[int, ...]:
    """The tally of respondents with these texts, freshly tossed."""
    return tuple(kernel(design).simulate_texts(truth).tolist())


def test_it_works():
    """Two planted texts come out on top, with intervals that hold their shares.

    40,000 reports; each share lies 30 standard errors above the cut, and intervals at a
    confidence of 1 - 1e-7 together.
    """
    found = estimate_texts(reports(population({"alice": 0.4, "bob": 0.3}, 40_000)), DESIGN, SURE)

    assert ["alice", "bob"] == [WORDS.text(text.number) for text in found.found[:2]]
    assert 0.4 in found.found[0].interval
    assert 0.3 in found.found[1].interval
    assert 0.3 in found.rest.interval


@pytest.mark.parametrize("oracle", proving(OTHER_ORACLES, but=["k-ary"]))
def test_every_oracle_finds_what_is_common(oracle: str):
    """As `test_it_works`: 40,000 reports at odds 9, intervals at 1 - 1e-7 together.

    Each share lies 20 standard errors and more above the cut.
    """
    design = for_text(WORDS, None, Fraction(9), by=By(oracle))
    truth = population({"alice": 0.4, "bob": 0.3}, 40_000)
    found = estimate_texts(reports(truth, design), design, SURE)

    assert ["alice", "bob"] == [WORDS.text(text.number) for text in found.found[:2]]
    assert 0.4 in found.found[0].interval
    assert 0.3 in found.found[1].interval
    assert 0.3 in found.rest.interval


@pytest.mark.parametrize("oracle", OTHER_ORACLES)
def test_no_oracle_finds_what_nobody_has(oracle: str):
    """12,000 respondents with 100 texts of 1 % each, with the false alarms of 1 - SURE."""
    design = for_text(WORDS, None, Fraction(9), by=By(oracle))

    assert () == estimate_texts(reports(population({}, 12_000), design), design, SURE).found


@pytest.mark.parametrize("oracle", OTHER_ORACLES)
def test_devices_and_arrays_agree(oracle: str):
    """1,000 reports of devices, all of one text, are found as simulated ones are."""
    design = for_text(FreeText(characters_of("a-z"), 2), None, Fraction(9), by=By(oracle))
    text = FreeText(characters_of("a-z"), 2).place("me")
    tossed = [design.perturb(text) for _ in range(1000)]
    column = column_of(design, tossed)
    found = estimate_texts(tuple(kernel(design).count(column).tolist()), design, SURE)

    assert kernel(design).admits(column)
    assert [text] == [each.number for each in found.found]
    assert 1.0 in found.found[0].interval


def test_nothing_is_found_where_nothing_is_common():
    """20,000 respondents with 100 texts, 1 % each: each candidate is there by chance."""
    found = estimate_texts(reports(population({}, 20_000)), DESIGN, SURE)

    assert () == found.found
    assert 1 == found.rest.value


@pytest.mark.prove
def test_the_promises_hold_over_many_surveys():
    """The intervals of 95 % of surveys hold all truths together, and 95 % find a text.

    The text has the smallest share that is said to be found. Fewer than 28 of 40 come with
    probability below 5e-7, and so they do for any chance of 0.95 or more.
    """
    texts = FreeText(characters_of("a-z"), 4)
    design = for_text(texts, None, Fraction(9))
    n = 12_000
    share = smallest_found([n / design.levels] * design.levels, design)
    kept = found = 0
    for _ in range(40):
        shares = {"adam": 0.3, "eve": share}
        truth = population(shares, n, texts)
        estimate = estimate_texts(reports(truth, design), design)
        found += texts.place("eve") in [text.number for text in estimate.found]
        kept += all(truth.get(t.number, 0) / n in t.interval for t in estimate.examined)

    assert kept >= 28
    assert found >= 28


def test_the_last_level_chooses_nothing():
    """Candidates are the same whatever the reports are that shares are estimated from."""
    counts = reports(population({"alice": 0.4, "bob": 0.3}, 20_000))
    start = (DESIGN.levels - 1) * DESIGN.rows * DESIGN.oracle.reports
    other = counts[:start] + tuple(reversed(counts[start:]))

    assert search(counts, DESIGN, others=False) == search(other, DESIGN, others=False)


def test_one_very_common_text_does_not_hide_another():
    """90 % have one text; what collides with it is told from a second one of 8 %."""
    found = estimate_texts(reports(population({"alice": 0.9, "zoe": 0.08}, 40_000)), DESIGN, SURE)

    assert ["alice", "zoe"] == [WORDS.text(text.number) for text in found.found]


def test_texts_of_every_length_are_found():
    """One character, a whole step, one more than a step, and the greatest length."""
    words = ["a", "bcd", "bcde", "fghijk"]
    found = estimate_texts(reports(population(dict.fromkeys(words, 0.25), 40_000)), DESIGN, SURE)

    assert set(words) == {WORDS.text(text.number) for text in found.found}


def test_another_text_is_an_answer_only_where_declared():
    """The text without characters is found where it counts, and never elsewhere."""
    tally = reports({0: 30_000, WORDS.place("bob"): 10_000})

    assert [0, WORDS.place("bob")] == [
        text.number for text in estimate_texts(tally, DESIGN, SURE, others=True).found
    ]
    assert 0 not in estimate_texts(tally, DESIGN, SURE).candidates


def test_chinese_words_are_found():
    """20,992 characters, one a step."""
    texts = FreeText(characters_of("一-鿿"), 2)
    design = for_text(texts, None, Fraction(9))
    truth = {texts.place("北京"): 20_000, texts.place("上海"): 12_000, texts.place("水"): 8_000}
    found = estimate_texts(reports(truth, design), design, SURE)

    assert ["北京", "上海", "水"] == [texts.text(text.number) for text in found.found]
    assert all(truth[text.number] / 40_000 in text.interval for text in found.found)


@pytest.mark.parametrize("design", SMALL, ids=ids)
def test_arrays_hash_as_devices_do(design: PrefixExtending):
    """Buckets of all prefixes of all texts, and of all extensions of a prefix."""
    for level in range(design.levels):
        texts = range(design.answers)
        prefixes = [design.prefix(text, level) for text in texts]
        rows = [[design.bucket(t, level, row) for t in texts] for row in range(design.rows)]

        assert rows == buckets_of(design, level, prefixes).tolist()
        assert block_hashes(design, level)[1].shape[0] == design.rows


def counted(design: PrefixExtending, report: int) -> list[int]:
    """The tally of one report: its number, or the buckets that its mask names and their slot."""
    slot, reported = divmod(report, design.oracle.reports)
    tally = np.zeros((design.slots, design.slot_counters), dtype=int)
    places = [reported]
    if isinstance(design.oracle, MaskOracle):
        places = [*design.oracle.supports(reported), design.buckets]
    tally[slot, places] = 1
    return tally.ravel().tolist()


@pytest.mark.parametrize("design", SMALL, ids=ids)
def test_the_kernel_admits_and_counts_reports(design: PrefixExtending):
    """Each report in its own counters, all of them together in the sum of these."""
    possible = [report for report in range(design.reports) if design.is_report(report)]
    tallies = [counted(design, report) for report in possible]

    assert tallies == [
        kernel(design).count(column_of(design, [report])).tolist() for report in possible
    ]
    assert np.sum(tallies, axis=0).tolist() == (
        kernel(design).count(column_of(design, possible)).tolist()
    )
    assert len(possible) == design.reports_counted(np.sum(tallies, axis=0).tolist())


@pytest.mark.parametrize("design", SMALL, ids=ids)
def test_the_kernel_admits_what_is_a_report_and_nothing_else(design: PrefixExtending):
    """All numbers that fit in as many bytes, by themselves and behind a good one."""
    width = -(-(design.reports - 1).bit_length() // 8)
    good = next(report for report in range(design.reports) if design.is_report(report))
    for number in range(min(256**width, design.reports + 300)):
        admitted = kernel(design).admits(column_of(design, [good, number]))
        assert design.is_report(number) == admitted


def chance_to_count(design: PrefixExtending, text: int, counter: int) -> float:
    """How likely a report of a text is counted in one counter, of all reports by enumeration."""
    return sum(
        float(design.probability(text, report))
        for report in range(design.reports)
        if design.is_report(report) and counted(design, report)[counter]
    )


@pytest.mark.parametrize("design", SMALL, ids=ids)
def test_a_simulation_tosses_as_devices_do(design: PrefixExtending):
    """Each counter is within 7 standard deviations of its expectation: false alarms below 1e-9."""
    truth = [20_000 * (text % 3 == 1) for text in range(design.answers)]
    counts = kernel(design).simulate(truth)

    for counter, count in enumerate(counts.tolist()):
        chances = [chance_to_count(design, text, counter) for text in range(design.answers)]
        expected = sum(n * p for n, p in zip(truth, chances, strict=True))
        variance = sum(n * p * (1 - p) for n, p in zip(truth, chances, strict=True))
        assert abs(count - expected) < 7 * sqrt(variance)


def without_coins(design: PrefixExtending, level: int, truth: dict[int, float]) -> Sketch:
    """A level's sketch where every row has as many reports as expected, of many respondents."""
    n = 10**12
    held = np.zeros((design.rows, design.buckets))
    for row, places in enumerate(buckets_of(design, level, list(truth))):
        np.add.at(held[row], places, list(truth.values()))
    q, p = (float(rate) for rate in design.oracle.rates)
    supporters = np.round(n * (q + (p - q) * held)).astype(np.int64)
    return Sketch(supporters, np.full(design.rows, n), (q, p))


def test_collisions_are_corrected_on_average():
    """Over 400 salts a share is right on average, and varies as the sum of squared shares says.

    The salts are fixed, so this repeats: 5 standard errors of the mean, 35 % of the variance.
    """
    truth = {1: 0.5, 5: 0.2, 8: 0.2, 40: 0.1}
    design = PrefixExtending(9, (2,), 4, ProjectiveGeometryResponse(31, 5))
    errors = []
    for salt in range(400):
        salted = replace(design, salt=salt)
        level = without_coins(salted, 1, truth)
        errors.append(float(level.shares(buckets_of(salted, 1, [5]))[0]) - 0.2)
    expected = sum(share**2 for text, share in truth.items() if text != 5) / (4 * 30)

    assert abs(np.mean(errors)) < 5 * sqrt(expected / 400)
    assert pytest.approx(expected, rel=0.35) == np.var(errors)


def test_candidates_that_collide_are_told_apart():
    """Solved together, the shares of all texts come out exactly, whatever collides."""
    truth = {1: 0.5, 5: 0.2, 8: 0.2, 40: 0.1}
    for salt in range(20):
        design = PrefixExtending(9, (2,), 4, ProjectiveGeometryResponse(31, 5), salt)
        level = without_coins(design, 1, truth)

        solved = level.shares(buckets_of(design, 1, list(truth)))
        assert pytest.approx(list(truth.values()), abs=1e-5) == solved.tolist()


def test_texts_with_the_same_buckets_are_not_said_to_be_found():
    """With few buckets two texts may be one for the hashes: no share is claimed for either."""
    design = PrefixExtending(9, (1,), 1, HadamardResponse(2))
    twins = [t for t in range(1, 10) if design.bucket(t, 1, 0) == design.bucket(1, 1, 0)][:2]
    found = estimate_texts(reports({twins[0]: 20_000}, design), design, candidates=twins)

    assert [False, False] == [text.is_found for text in found.examined]


def test_the_standard_error_is_that_of_coins_and_collisions():
    """Over 40 salts and coins the error has the stated size: 0.5 to 1.6 times.

    Below 0.5 or above 1.6 the root of a chi-squared with 40 degrees of freedom over their number
    comes with less than 6e-7; the salts are fixed and coins are the smaller part.
    """
    texts = FreeText(characters_of("a-z"), 3)
    base = PrefixExtending(26, (3,), 4, ProjectiveGeometryResponse(31, 5))
    truth = {texts.place(word): 20_000 for word in ("ann", "ben", "cat", "dan", "eva")}
    scores = []
    for salt in range(40):
        design = replace(base, salt=salt)
        (found,) = estimate_texts(
            reports(truth, design), design, candidates=[texts.place("ann")]
        ).examined
        scores.append((found.value - 0.2) / found.standard_error)

    assert 0.5 < sqrt(np.mean(np.square(scores))) < 1.6


@settings(max_examples=30)
@given(st.integers(1, 400), st.integers(1, 12), st.sampled_from(["2", "3", "9", "81", "500"]))
def test_every_design_has_two_bytes_and_the_odds_asked(characters: int, longest: int, odds: str):
    """Whatever the alphabet and the length: levels that a server can search, at the exact odds."""
    texts = FreeText("".join(map(chr, range(0x4E00, 0x4E00 + characters))), longest)
    design = for_text(texts, None, Fraction(odds))

    assert Fraction(odds) == design.odds
    assert texts.fits(design)
    assert texts.answers == design.answers
    assert design.reports <= 1 << 16
    assert design.rows >= 8


@pytest.mark.parametrize("odds", ["1", "1/2"])
def test_odds_of_nothing_are_refused(odds: str):
    """At odds 1 every answer looks the same."""
    with pytest.raises(MechanismError, match="above 1"):
        for_text(WORDS, None, Fraction(odds))


def test_the_minimum_is_where_a_text_of_20_percent_is_found():
    """What a survey file says by default follows from the search; a quarter as many do not do."""
    n = designs.minimum_batch([DESIGN])
    levels = [n / DESIGN.levels] * DESIGN.levels
    quarter = [n / 4 / DESIGN.levels] * DESIGN.levels

    assert n == reports_needed(0.20, DESIGN)
    assert pytest.approx(0.20, abs=1e-3) == smallest_found(levels, DESIGN)
    assert smallest_found(quarter, DESIGN) > 0.35


def test_a_hundred_times_the_reports_find_a_tenth_of_the_share():
    """The smallest share goes with one over the root of n, and a little more by more prefixes."""
    shares = [smallest_found([n] * DESIGN.levels, DESIGN) for n in (10_000, 1_000_000)]

    assert 9 < shares[0] / shares[1] < 10


REFERENCE = Path(__file__).parents[3] / "docs/reference/survey-file.md"
PROOF = Path(__file__).parents[3] / "docs/proofs/prefix-extending.md"
ODDS = (3, 9, 27)


def offered(pattern: str, longest: int) -> list[PrefixExtending]:
    """The design of a survey file, for three odds."""
    texts = FreeText(characters_of(pattern), longest)
    return [for_text(texts, None, Fraction(odds)) for odds in ODDS]


@pytest.mark.parametrize("n", [10_000, 100_000, 1_000_000])
def test_documents_say_which_share_is_found(n: int):
    """Both tables have a row for so many reports, as computed."""
    shares = [
        100 * smallest_found([n / design.levels] * design.levels, design)
        for design in offered("a-z ", 12)
    ]
    row = " | ".join(f"{share:.1f} %" for share in shares)

    assert f"| {n:,} | {row} |" in PROOF.read_text()
    assert f" | {row} |" in REFERENCE.read_text()


@pytest.mark.parametrize(
    ("name", "pattern", "longest"),
    [
        ("4 digits", "0-9", 4),
        ("6 letters", "a-z", 6),
        ("12 letters and spaces", "a-z ", 12),
        ("4 Chinese characters", "一-鿿", 4),
    ],
)
def test_the_reference_says_the_default_minimum(name: str, pattern: str, longest: int):
    """The table has a row for each kind of text, as computed."""
    minimums = [designs.minimum_batch([design]) for design in offered(pattern, longest)]

    assert f"| {name} | {' | '.join(f'{n:,}' for n in minimums)} |" in REFERENCE.read_text()


@each("oracle", oracles())
def test_the_reference_compares_oracles(oracle: str):
    """The table has a row for each, as computed from 100,000 reports."""
    texts = FreeText(characters_of("a-z "), 12)
    made = [for_text(texts, None, Fraction(odds), by=By(oracle)) for odds in ODDS]
    shares = [smallest_found([100_000 / d.levels] * d.levels, d) for d in made]
    size = -(-(made[0].reports - 1).bit_length() // 8)
    row = " | ".join(f"{100 * share:.1f} %" for share in shares)

    assert f'| `"{oracle}"` | {size} bytes | {row} |' in REFERENCE.read_text()


@pytest.mark.parametrize("levels", [[0, 0, 0], [5, 5, 5], [1000, 1000, 0]])
def test_too_few_reports_find_nothing_surely(levels: list[int]):
    """No share is enough."""
    assert smallest_found(levels, DESIGN) is None


def test_counts_that_are_no_tally_are_refused():
    """Of another length, negative, or without a report of the last level."""
    size = DESIGN.rows * DESIGN.oracle.reports
    for counts in ((1,) * 5, (-1,) * DESIGN.counters, (1,) * (2 * size) + (0,) * size):
        with pytest.raises(EstimationError):
            estimate_texts(counts, DESIGN)


def test_few_reports_do_no_harm():
    """From one report on there is an estimate, however wide."""
    for n in (1, 2, 5, 40):
        counts = [0] * DESIGN.counters
        for k in range(n):
            counts[(7919 * k) % DESIGN.counters] += 1
        counts[-1] += 1

        estimate = estimate_texts(tuple(counts), DESIGN)
        assert estimate.smallest_found is None or estimate.smallest_found > 0.5


def test_a_group_of_everyone_has_the_shares_of_everyone(monkeypatch):
    """Within a standard error: what was examined and not found is not taken out of it.

    It costs an interval for each text that was found, and neither a search nor what else is said
    of everyone alone.
    """
    counts = reports(population({"alice": 0.4, "bob": 0.3}, 20_000))
    everyone = estimate_texts(counts, DESIGN)
    made = []
    monkeypatch.setattr(shares, "search", None)
    monkeypatch.setattr(shares, "smallest_found", None)
    monkeypatch.setattr(shares, "_FEW_SUPPORTERS", 10**9)
    exact = shares._METHODS["exact"]
    monkeypatch.setattr(
        shares, "_METHODS", {"exact": lambda *given: made.append(given) or exact(*given)}
    )
    among = len(everyone.examined)
    texts = [text.number for text in everyone.found]
    group = shares_of_texts(counts, DESIGN, texts, among=among)

    assert len(made) == len(texts)
    for text, same in zip(everyone.found, group, strict=True):
        assert (text.number, text.n, text.reports) == (same.number, same.n, same.reports)
        assert abs(text.value - same.value) < text.standard_error
        assert same.standard_error == pytest.approx(text.standard_error, rel=0.2)
        assert among == same.interval.intervals
        assert same.value in same.interval


def test_no_candidate_at_all_is_no_text():
    """Everyone is the rest."""
    found = estimate_texts((1,) * DESIGN.counters, DESIGN, candidates=[])

    assert ((), (), 1, 0) == (
        found.found,
        found.examined,
        found.rest.value,
        found.rest.interval.low - 1,
    )


@pytest.mark.parametrize("odds", ["3", "700"])
def test_intervals_hold_their_estimates(odds: str):
    """However few reports there are, and even if none or all of them support a text."""
    design = for_text(FreeText(characters_of("a-b"), 2), None, Fraction(odds))
    texts = [design.base + 1, 2 * design.base]
    last = (design.levels - 1) * design.rows * design.oracle.reports
    for first in range(0, design.oracle.reports, 41):
        counts = [0] * design.counters
        counts[last + first] = 25
        found = estimate_texts(tuple(counts), design, candidates=texts)

        assert all(t.interval.low <= t.value <= t.interval.high for t in found.examined)
        assert all(t.interval.low < t.interval.high for t in found.examined)


def test_a_sketch_of_one_report_supports_one_block():
    """The tally is the oracle's own, row by row."""
    counts = [0] * DESIGN.counters
    counts[0] = 1
    first = sketch(counts, DESIGN, 0)

    assert DESIGN.oracle.supports(0) == tuple(np.flatnonzero(first.supporters[0]).tolist())
    assert 1 == first.n


def test_a_simulation_says_what_would_be_found():
    """Planted texts with their estimates; one that nobody has is not found."""
    question = Question("word", "word", {"en": "?"}, (), DESIGN, WORDS)
    shares = {"Alice": Fraction(2, 5), "bob": Fraction(3, 10), "rare": Fraction(0)}
    alice, bob, rare = simulate(question, shares, 20_000, runs=2)

    assert ("word/alice", "word/bob", "word/rare") == (alice.id, bob.id, rare.id)
    assert alice.low > 0.3
    assert bob.high < 0.4
    assert (None, None, None, 0) == (rare.estimate, rare.low, rare.high, rare.inside)


@pytest.mark.parametrize(
    "shares", [{"a b": Fraction(1, 2)}, {"a": Fraction(-1)}, {"a": Fraction(2)}], ids=str
)
def test_a_simulation_refuses_what_cannot_be(shares: dict[str, Fraction]):
    """A text of other characters, and shares below 0 or above 1."""
    question = Question("word", "word", {"en": "?"}, (), DESIGN, WORDS)

    with pytest.raises(ValueError, match="word"):
        simulate(question, shares, 100)
