"""Faults found in public privacy code, each with a test of its kind over a sweep of parameters.

The numbers are those of docs/explanation/known-faults.md, which says where each was found and
which test is about it. Those about the server are in tests/server/web/test_public_bugs.py.
"""

import os
import re
from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from math import exp, nan
from pathlib import Path

import pytest
from sweeps import each

from tossup.shared import wire
from tossup.shared.coins import MAX_WEIGHT_SUM, Coins, bytes_for
from tossup.shared.errors import AnswerError, MechanismError, WireError
from tossup.shared.mechanisms import (
    MECHANISMS,
    FrequencyOracle,
    KaryRandomizedResponse,
    Mechanism,
    RandomizedResponse,
    Rappor,
    TableMechanism,
    TwoCoin,
    from_spec,
)
from tossup.shared.odds import epsilon, largest_odds
from tossup.shared.survey import Option, Question

ROOT = Path(__file__).parents[2]

TABLES = [
    ((no_no, total - no_no), (yes_no, total - yes_no))
    for total in (2, 3, 5, 16, 100, 128, 256)
    for no_no, yes_no in [(total - 1, 1), (1, total - 1), (total // 2 + 1, total // 2)]
    if total // 2 >= 1 and no_no != yes_no and 0 < no_no < total and 0 < yes_no < total
]
DESIGNS: list[TableMechanism] = [
    TwoCoin(),
    *(RandomizedResponse(table) for table in TABLES),
    *(KaryRandomizedResponse(options, 5, 2) for options in (2, 3, 7, 8, 9, 33, 100)),
]
ORACLES = [
    made
    for kind in MECHANISMS.values()
    if issubclass(kind, FrequencyOracle) and hasattr(kind, "from_odds")
    for made in (kind.from_odds(Fraction(3), options) for options in (2, 3, 4, 5, 8))
]
EPSILONS = [Decimal(text) for text in ("0.01", "0.1", "0.3", "0.5", "1", "2", "3", "4", "8", "12")]


def choosing(value: int, total: int) -> Coins:
    """Return coins whose choice below ``total`` is ``value``."""
    return Coins(lambda _: value.to_bytes(bytes_for(total), "little"))


def total_of(design: TableMechanism) -> int:
    return sum(design.weights[0])


def realised(design: TableMechanism, answer: int) -> Sequence[Fraction]:
    """Return Pr[report | answer] by trying every value the coins can choose."""
    total = total_of(design)
    found = Counter(design.perturb(answer, choosing(value, total)) for value in range(total))
    assert set(found) <= set(range(design.reports))
    return [Fraction(found[report], total) for report in range(design.reports)]


def question(options: int) -> Question:
    """Return a question among so many options, or yes/no for two."""
    offered = tuple(Option(f"o{place}", {"en": "o"}) for place in range(options))
    return Question("q", "t", {"en": "q"}, offered, KaryRandomizedResponse(options))


@each("table", TABLES)
def test_fault_01_a_lie_never_equals_the_truth_by_a_fresh_coin(table):
    """The realised probability is the declared one, p, and not p + (1 - p)p."""
    for answer in (0, 1):
        total = sum(table[answer])
        declared = [Fraction(weight, total) for weight in table[answer]]
        assert declared == realised(RandomizedResponse(table), answer)


def test_fault_02_no_ratio_is_misreduced():
    """Every ratio x/k, in lowest terms or not, is tossed with exactly that probability."""
    for below in range(2, 25):
        for part in range(1, below):
            chance = Fraction(part, below)
            other = Fraction(1, 5) if chance != Fraction(1, 5) else Fraction(2, 5)
            design = RandomizedResponse.from_yes_rates(chance, other)
            assert [chance, other] == [realised(design, answer)[1] for answer in (0, 1)]


@pytest.mark.parametrize("used", [0, 1, 7, 8, 255])
def test_fault_03_forked_children_share_no_bits(used: int):
    """However many bits were left over, three children and their parent draw other ones.

    Sixteen bytes each: equal by chance with probability below 6 / 2**128.
    """
    coins = Coins(lambda count: os.urandom(max(count, 32)))
    for _ in range(used):
        coins.toss()

    drawn = [in_child(coins) for _ in range(3)] + [sixteen_bytes(coins)]

    assert 4 == len(set(drawn))


def sixteen_bytes(coins: Coins) -> bytes:
    return bytes(coins.below(256) for _ in range(16))


def in_child(coins: Coins) -> bytes:
    """Return what a forked child draws."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writing, sixteen_bytes(coins))
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        drawn = pipe.read()
    os.waitpid(child, 0)
    return drawn


@each("design", DESIGNS)
def test_fault_04_the_truth_is_kept_exactly_as_often_as_declared(design: TableMechanism):
    """A client that leaves a random bit where it should keep the truth doubles epsilon."""
    for answer in range(design.answers):
        assert design.probability(answer, answer) == realised(design, answer)[answer]


def test_fault_05_the_whole_budget_is_used_for_every_size():
    """Not half of it by mistake: the odds of an asked epsilon are e**epsilon."""
    for options in (*range(2, 20), *range(20, 257, 13), 256):
        for asked in ("0.5", "1", "2", "4"):
            odds = largest_odds(Decimal(asked), options)
            design = KaryRandomizedResponse(options, odds.numerator, odds.denominator)
            assert 0.999 * exp(float(asked)) < float(design.odds) <= exp(float(asked))


@each("design", ORACLES)
def test_fault_05_oracles_use_their_whole_budget(design: Mechanism):
    """Made for odds of 3, they have them: exactly, or by less than a millionth below."""
    assert Fraction(2_999_999, 1_000_000) < design.odds <= 3


def test_fault_06_the_coins_use_the_bytes_and_not_their_place():
    """Other bytes, other reports; the same byte at another place, the same report."""
    runs = {tuple(TwoCoin().perturb(0, choosing(byte, 4)) for _ in range(64)) for byte in range(4)}

    assert {(0,) * 64, (1,) * 64} == runs


def test_fault_07_probabilities_are_not_rounded_to_seven_bits():
    """A chance of f is f for every hundredth and thousandth: 1/100 is not 2/128."""
    for below in (100, 1000):
        for part in range(1, below // 2, 7):
            rates = (Fraction(part, below), 1 - Fraction(part, below))
            design = RandomizedResponse.from_yes_rates(*rates)
            assert list(rates) == [realised(design, answer)[1] for answer in (0, 1)]


def test_fault_07_f_is_exactly_what_was_declared():
    """RAPPOR's f is 2 lie / (keep + lie) for every hundredth: the rates say so, unrounded."""
    for hundredths in range(1, 100):
        f = Fraction(hundredths, 100)
        design = Rappor(2, 200 - hundredths, hundredths, one=3, zero=1, out_of=4)
        q, p = Fraction(3, 4), Fraction(1, 4)
        turned = (f * (q + p) / 2 + (1 - f) * p, f * (q + p) / 2 + (1 - f) * q)

        assert turned == design.rates


@each("total", [3, 255, 256, 257, 2**16, 2**31, 2**32 - 1, 2**32])
def test_fault_08_thresholds_hold_at_both_ends(total: int):
    """The only choice is always taken, and one in a total is its one value, without overflow."""
    assert not any(choosing(value, 1).below(1) for value in range(256))

    rare = RandomizedResponse(((total - 1, 1), (1, total - 1)))
    for answer, values in ((0, (0, total - 2, total - 1)), (1, (0, 1, total - 1))):
        reports = [rare.perturb(answer, choosing(value, total)) for value in values]
        assert [0, answer, 1] == reports


@each("exponent", range(2, 11))
def test_fault_10_every_dyadic_probability_is_exact(exponent: int):
    """All i / 2**k, and not only 1/2: a wrong index into the mantissa looks right there."""
    total = 1 << exponent
    for part in range(1, total, max(1, total // 64)):
        chance = Fraction(part, total)
        if chance != Fraction(1, 2):
            design = RandomizedResponse.from_yes_rates(chance, 1 - chance)
            assert [chance, 1 - chance] == [realised(design, answer)[1] for answer in (0, 1)]


@each("digits", range(1, 12))
def test_fault_17_bounds_are_rounded_to_the_safe_side(digits: int):
    """The epsilon shown is never below ln(odds); the odds of an epsilon never above e**epsilon."""
    for lie in range(1, 8):
        for keep in range(lie, 60):
            shown = epsilon(Fraction(keep, lie), digits)
            assert shown.exp() >= Decimal(keep) / Decimal(lie) * (1 - Decimal("1e-26"))
    for asked in EPSILONS:
        assert epsilon(largest_odds(asked), 25) <= asked + Decimal("1e-24")


@each("design", DESIGNS)
def test_fault_19_every_answer_takes_the_same_path(design: TableMechanism):
    """The same number of draws and bytes for every answer and report: no path tells the coin."""
    total = total_of(design)
    drawn = set()
    for answer in range(design.answers):
        for value in {0, 1, total // 2, total - 1}:
            sizes: list[int] = []

            def source(count: int, value: int = value, sizes: list[int] = sizes) -> bytes:
                sizes.append(count)
                return value.to_bytes(count, "little")

            design.perturb(answer, Coins(source))
            drawn.add(tuple(sizes))

    assert {(bytes_for(total),)} == drawn


@each("text", ["NaN", "sNaN", "Infinity", "-Infinity", "800", "1e9", "0", "-1"])
def test_fault_21_epsilons_that_are_no_protection_are_refused(text: str):
    """Not a number, infinite, so large that e**epsilon overflows, zero, negative."""
    for answers in (2, 3, 256):
        with pytest.raises(MechanismError):
            largest_odds(Decimal(text), answers)


@each("weight", [nan, float("inf"), 1e300, 0.5, "3", None, True, 0, -1])
def test_fault_21_weights_that_are_no_counting_numbers_are_refused(weight: object):
    """Wherever it stands in the table, and in the parameters of a choice."""
    for place in range(4):
        flat: list[object] = [3, 1, 1, 3]
        flat[place] = weight
        with pytest.raises(MechanismError):
            from_spec({"name": RandomizedResponse.name, "weights": [flat[:2], flat[2:]]}, 2)
    for name in ("keep", "lie"):
        spec = {"name": KaryRandomizedResponse.name, "keep": 3, "lie": 1, name: weight}
        with pytest.raises(MechanismError):
            from_spec(spec, 5)


@each("n", range(1, 41))
def test_fault_22_the_last_bit_of_a_packed_column_is_a_report_like_any(n: int):
    """One yes at each place of n comes back alone: the last is neither lost nor in clear."""
    asked = Question("q", "t", {"en": "q"}, (), TwoCoin())
    for place in range(n):
        column = tuple(int(other == place) for other in range(n))
        assert column == wire.unpack_column(wire.pack_column(column, asked), n, asked)


@each("options", [2, 3, 4, 16, 100, 255, 256])
def test_fault_22_every_position_is_randomized(options: int):
    """First, last and all between: each option may be reported for each of these answers."""
    design = KaryRandomizedResponse(options)
    for answer in {0, 1, options // 2, options - 2, options - 1}:
        assert 0 < min(realised(design, answer))


@each("options", [2, 3, 17, 256])
@each("n", [1, 2, 7, 8, 9, 1000])
def test_fault_23_the_length_of_a_report_tells_nothing(options: int, n: int):
    """A column is as long for the first option as for the last, whatever its size."""
    asked = question(options)
    lengths = {
        len(wire.pack_column([value] * n, asked)) for value in {0, 1, options // 2, options - 1}
    }

    assert {wire.column_bytes(asked, n)} == lengths


@each("options", range(2, 257))
def test_fault_24_the_ends_of_a_range_have_their_full_mass(options: int):
    """Each other option, first and last too, has exactly the same probability (no modulo bias)."""
    found = realised(KaryRandomizedResponse(options), options - 1)

    unit = Fraction(1, options + 2)
    assert [unit] * (options - 1) + [3 * unit] == found


@each("options", range(2, 65))
def test_fault_25_no_report_lies_beyond_the_options(options: int):
    """Whatever the coins: there is no category k + 1."""
    design = KaryRandomizedResponse(options, 4, 3)
    total = total_of(design)
    for answer in (0, options - 1):
        for value in range(total):
            assert 0 <= design.perturb(answer, choosing(value, total)) < options


def test_fault_25_people_do_not_share_their_coins():
    """64 fresh yes/no reports to one truth are all alike with probability below 1e-7.

    In each of 4 runs: together below 1e-28.
    """
    runs = [{TwoCoin().perturb(0) for _ in range(64)} for _ in range(4)]

    assert {0, 1} in runs


@each("asked", EPSILONS)
def test_fault_26_an_asked_epsilon_is_neither_exceeded_nor_without_noise(asked: Decimal):
    """From 0.01 to 12, for every size: rounding never makes it 6.07, or the truth alone."""
    for answers in (2, 3, 16, 256):
        odds = largest_odds(asked, answers)
        design = KaryRandomizedResponse(answers, odds.numerator, odds.denominator)
        assert epsilon(design.odds, 25) <= asked + Decimal("1e-24")
        assert design.lie >= 1
        assert total_of(design) <= MAX_WEIGHT_SUM


@each("answer", [99, -1, 1.5, 0.0, "0", None, True, nan, 10**30, b"\x00", [0], Fraction(0)])
def test_fault_27_an_answer_outside_the_domain_is_never_sent(answer: object):
    """Neither as it is nor as its neighbour, by any coin: nothing is tossed at all."""

    def source(count: int) -> bytes:
        raise AssertionError("a coin was tossed")

    for design in (*DESIGNS, *ORACLES):
        if answer == 99 and design.answers > 99:
            continue
        with pytest.raises(AnswerError):
            design.perturb(answer, Coins(source))  # type: ignore[arg-type]


def test_fault_27_a_truth_that_is_neither_yes_nor_no_is_never_sent():
    """StatDP found it in a toy: 2 passed through on tails. All 256 bytes are tried."""
    for byte in range(256):
        with pytest.raises(AnswerError, match="an int from 0 to 1"):
            TwoCoin().perturb(2, choosing(byte, 4))


@each("options", [2, 3, 5, 100, 255, 256])
def test_fault_28_reports_outside_the_range_have_no_bytes(options: int):
    """-1, k, 1000: a device cannot even write them."""
    asked = question(options)
    for value in (-1, options, options + 1, 1000, 2**63):
        with pytest.raises(WireError):
            wire.pack_column([0, value], asked)


@each("design", DESIGNS)
def test_fault_29_what_an_answer_may_become_sums_to_one(design: TableMechanism):
    """Exactly, for every answer; a channel that misses a part biases every estimate."""
    assert [1] * design.answers == [sum(row) for row in design.channel()]
    for answer in {0, design.answers - 1}:
        assert 1 == sum(design.probability(answer, report) for report in range(design.reports))


@each("design", ORACLES)
def test_fault_29_every_row_of_an_oracle_sums_to_one(design: Mechanism):
    """Over all numbers that a report may be, for every answer; supports agree with p and q."""
    assert isinstance(design, FrequencyOracle)
    q, p = design.rates
    for answer in range(design.answers):
        chances = [design.probability(answer, report) for report in range(design.reports)]
        named = [0] * design.answers
        for report, chance in enumerate(chances):
            for option in design.supports(report) if chance else ():
                named[option] += chance

        assert 1 == sum(chances)
        assert [p if option == answer else q for option in range(design.answers)] == named


@each("options", range(2, 257))
def test_fault_31_every_number_of_options_works(options: int):
    """Not only powers of two: each answer is perturbed into one of the options."""
    design = KaryRandomizedResponse(options)
    reports = {design.perturb(answer) for answer in range(options)}

    assert reports <= set(range(options))


@each("options", [*range(2, 20), 31, 33, 63, 64, 65, 100, 128, 200, 255, 256])
def test_fault_31_every_oracle_works_for_every_number_of_options(options: int):
    """First, last and middle answers become possible reports, whatever the matrix or field."""
    for kind in MECHANISMS.values():
        if issubclass(kind, FrequencyOracle) and hasattr(kind, "from_odds"):
            design = kind.from_odds(Fraction(3), options)
            for answer in (0, options // 2, options - 1):
                assert design.is_report(design.perturb(answer))


def table_of_faults() -> dict[int, str]:
    """Return the rows of the page on known faults, by number."""
    page = (ROOT / "docs/explanation/known-faults.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d+) \|(.*)\|$", page, re.MULTILINE)
    return {int(number): row for number, row in rows}


def test_every_known_fault_is_listed_once():
    """All 36, in order."""
    assert list(range(1, 37)) == list(table_of_faults())


@each("number, row", table_of_faults().items())
def test_every_known_fault_has_a_test_or_says_why_not(number: int, row: str):
    """A test of this file or the server's carries the fault's number; test_proofs finds it."""
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", row)

    assert named or "not built" in row
    for path, name in named:
        if path.endswith("test_public_bugs.py"):
            assert name.startswith(f"test_fault_{number:02}_")
