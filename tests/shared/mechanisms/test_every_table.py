"""Every mechanism does exactly what its channel says, and its odds hold by enumeration."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from walking import Chosen

from tossup.shared.coins import Coins, bytes_for
from tossup.shared.errors import AnswerError, MechanismError
from tossup.shared.mechanisms import (
    MECHANISMS,
    KaryRandomizedResponse,
    Mechanism,
    RandomizedResponse,
    TwoCoin,
    from_spec,
)

QUARTER = Fraction(1, 4)

SWEEP: list[Mechanism] = [
    TwoCoin(),
    *(
        RandomizedResponse(((no_no, total - no_no), (yes_no, total - yes_no)))
        for total in range(2, 14)
        for no_no, yes_no in product(range(1, total), repeat=2)
        if no_no != yes_no
    ),
    *(
        KaryRandomizedResponse(options, keep, lie)
        for options in (2, 3, 4, 5, 7, 8, 16, 33, 100, 255, 256)
        for keep, lie in ((2, 1), (3, 1), (5, 2), (9, 1), (81, 1))
    ),
]


def on_byte(value: int) -> Coins:
    """Return coins that see this byte, and no other."""
    return Coins(lambda _: bytes([value]))


def total(mechanism: Mechanism) -> int:
    return sum(mechanism.weights[0])


def ids(mechanism: Mechanism) -> str:
    return f"{mechanism.spec()} of {mechanism.answers}"


def test_two_coins_by_walking_every_sequence():
    """Tails tells the truth; heads sends yes on a second heads: all four sequences, both truths."""
    walked = {
        (first, second, truth): TwoCoin().perturb(truth, on_byte(first + 2 * second))
        for first, second, truth in product((0, 1), repeat=3)
    }

    expected = {
        (first, second, truth): second if first else truth
        for first, second, truth in product((0, 1), repeat=3)
    }
    assert expected == walked


def test_two_coins_by_every_byte():
    """Over the 256 values of the one byte drawn, a truth is kept in 192 and turned in 64."""
    for truth in (0, 1):
        reports = Counter(TwoCoin().perturb(truth, on_byte(b)) for b in range(256))

        assert {truth: 192, 1 - truth: 64} == reports


@pytest.mark.parametrize("byte", range(256))
def test_two_coins_of_a_fresh_byte_are_those_of_any_coins(monkeypatch, byte: int):
    """Without coins given, one byte is drawn from the system and read as anywhere else."""
    drawn: list[int] = []
    monkeypatch.setattr("os.urandom", lambda count: drawn.append(count) or bytes([byte]))

    reports = [TwoCoin().perturb(truth) for truth in (0, 1)]

    assert [TwoCoin().perturb(truth, on_byte(byte)) for truth in (0, 1)] == reports
    assert [bytes_for(4)] * 2 == drawn


@pytest.mark.parametrize("answer", [-1, 2, True, False, 1.0, "1", None, float("nan")])
def test_two_coins_of_a_fresh_byte_refuse_what_is_no_answer(monkeypatch, answer: object):
    """As with coins given, and before a byte is drawn."""
    monkeypatch.setattr("os.urandom", lambda count: pytest.fail("a coin was drawn"))

    with pytest.raises(AnswerError, match="an int from 0 to 1"):
        TwoCoin().perturb(answer)  # type: ignore[arg-type]


@pytest.mark.parametrize("mechanism", SWEEP, ids=ids)
def test_the_sampler_follows_the_weights(mechanism: Mechanism):
    """Over every value of its single choice, each report comes exactly weight times."""
    answers = sorted({0, 1, mechanism.answers // 2, mechanism.answers - 1})
    for answer in answers:
        reports = Counter(
            mechanism.perturb(answer, Chosen(value)) for value in range(total(mechanism))
        )

        assert dict(enumerate(mechanism.weights[answer])) == reports


@pytest.mark.parametrize("mechanism", SWEEP, ids=ids)
def test_odds_by_enumeration(mechanism: Mechanism):
    """The odds are the largest ratio over all reports and all pairs of answers."""
    channel = mechanism.channel()
    # Rows of a large k-ary channel are rotations of each other: three stand for all.
    rows = channel if mechanism.answers <= 33 else (channel[0], channel[1], channel[-1])

    found = max(row[y] / other[y] for row in rows for other in rows for y in range(len(row)))

    assert mechanism.odds == found


@pytest.mark.parametrize("mechanism", SWEEP, ids=ids)
def test_every_row_of_a_channel_is_a_distribution(mechanism: Mechanism):
    """Probabilities are positive ratios of integers that sum to exactly 1."""
    for row in mechanism.channel():
        assert 1 == sum(row)
        assert all(0 < chance < 1 and isinstance(chance, Fraction) for chance in row)


@pytest.mark.parametrize("mechanism", SWEEP, ids=ids)
def test_a_spec_gives_the_mechanism_back(mechanism: Mechanism):
    """What stands in a manifest is the whole mechanism."""
    assert mechanism == from_spec(mechanism.spec(), mechanism.answers)


@pytest.mark.parametrize(
    "mechanism", [TwoCoin(), RandomizedResponse(((4, 1), (2, 3))), KaryRandomizedResponse(5)]
)
def test_an_answer_costs_the_same_number_of_random_bytes(mechanism: Mechanism):
    """Whatever the answer and the report, the same bytes are drawn, in one draw."""
    drawn: list[int] = []

    def source(count: int) -> bytes:
        drawn.append(count)
        return b"\xa7" * count

    for answer in range(mechanism.answers):
        mechanism.perturb(answer, Coins(source))

    assert [bytes_for(total(mechanism))] * mechanism.answers == drawn


@pytest.mark.parametrize(
    "answer", [None, True, 1.0, "1", -1, 5, 1000, float("nan"), b"", [], Fraction(1)]
)
def test_an_answer_outside_the_declared_ones_draws_nothing(answer: object):
    """A look-alike is refused before a coin is tossed, and the message does not show it."""

    def source(count: int) -> bytes:
        raise AssertionError("a coin was tossed")

    for mechanism in (TwoCoin(), RandomizedResponse(((2, 1), (1, 2))), KaryRandomizedResponse(5)):
        with pytest.raises(AnswerError) as refusal:
            mechanism.perturb(answer, Coins(source))  # type: ignore[arg-type]
        assert "1000" not in str(refusal.value)


@pytest.mark.parametrize(
    ("design", "yes_if_no", "yes_if_yes"),
    [
        (RandomizedResponse.warner(Fraction(3, 4)), QUARTER, Fraction(3, 4)),
        (RandomizedResponse.warner(Fraction(1, 3)), Fraction(2, 3), Fraction(1, 3)),
        # Blair, Imai and Zhou 2015 (Nigeria): a die forces no on 1, yes on 6.
        (
            RandomizedResponse.forced_response(Fraction(1, 6), Fraction(1, 6)),
            Fraction(1, 6),
            Fraction(5, 6),
        ),
        (RandomizedResponse.forced_response(QUARTER, QUARTER), QUARTER, Fraction(3, 4)),
        # RRTCS bullying: sensitive question with 1/2, innocuous prevalence 2/3.
        (
            RandomizedResponse.unrelated_question(Fraction(1, 2), Fraction(2, 3)),
            Fraction(1, 3),
            Fraction(5, 6),
        ),
        # Kuk 1990: packs with 1/4 and 3/4 red cards are two coins.
        (RandomizedResponse.kuk(QUARTER, Fraction(3, 4)), QUARTER, Fraction(3, 4)),
        # GLMMRR plagiarism: crosswise with an innocuous prevalence of 1/4.
        (RandomizedResponse.crosswise(QUARTER), Fraction(3, 4), QUARTER),
    ],
)
def test_paper_designs_are_channels(design: Mechanism, yes_if_no: Fraction, yes_if_yes: Fraction):
    """Each classical design is its pair Pr[yes | no], Pr[yes | yes], in lowest terms."""
    channel = design.channel()

    assert (yes_if_no, yes_if_yes) == (channel[0][1], channel[1][1])


@pytest.mark.parametrize(
    "table",
    [
        ((1, 1), (1, 1)),
        ((1, 0), (0, 1)),
        ((3, 1), (1, 4)),
        ((3.0, 1), (1, 3)),
        ((True, 1), (1, 1)),
        ((-1, 3), (1, 1)),
        ((3, 1),),
        ((3, 1), (1, 3, 0)),
        ((1 << 32, 1), (1, 1 << 32)),
        ((float("nan"), 1), (1, 3)),
    ],
)
def test_tables_that_cannot_protect_or_tell_are_refused(table):
    """Zero weights prove an answer, equal rows tell nothing, floats are not exact."""
    with pytest.raises(MechanismError):
        RandomizedResponse(table)


@pytest.mark.parametrize(
    "parameters",
    [
        (1, 3, 1),
        (257, 3, 1),
        (5, 1, 1),
        (5, 1, 2),
        (5, 3, 0),
        (5, 3.0, 1),
        (True, 3, 1),
        (5, 1 << 32, 1),
    ],
)
def test_k_ary_designs_that_cannot_protect_or_tell_are_refused(parameters):
    """Options, keep and lie are integers within their bounds, with keep above lie."""
    with pytest.raises(MechanismError):
        KaryRandomizedResponse(*parameters)


@pytest.mark.parametrize("rate", [Fraction(0), Fraction(1), Fraction(1, 2), Fraction(-1, 4)])
def test_rates_of_zero_one_and_a_half_are_no_warner_design(rate: Fraction):
    """A certain statement protects nobody; an even one tells nothing."""
    with pytest.raises(MechanismError):
        RandomizedResponse.warner(rate)


@pytest.mark.parametrize(
    "spec",
    [
        {},
        {"name": "two-coin/2"},
        {"name": 7},
        {"name": ["two-coin/1"]},
        {"name": "two-coin/1", "epsilon": 9},
        {"name": "randomized-response/1"},
        {"name": "randomized-response/1", "weights": [3, 1]},
        {"name": "randomized-response/1", "weights": [[3, 1], [1, 3]], "more": 1},
        {"name": "k-ary-randomized-response/1", "keep": 3, "lie": 1},
        {"name": "k-ary-randomized-response/1", "keep": True, "lie": 1},
        {"name": "k-ary-randomized-response/1", "keep": 3},
    ],
)
def test_specs_that_are_not_exactly_known_are_refused(spec: dict[str, object]):
    """An unknown name or parameter, or a count of answers that does not fit, is refused."""
    answers = 300 if "keep" in spec and spec["keep"] == 3 and "lie" in spec else 2

    with pytest.raises(MechanismError):
        from_spec(spec, answers)


def test_a_yes_no_design_does_not_fit_three_options():
    """A mechanism is for its number of answers only."""
    with pytest.raises(MechanismError, match="for 2 answers, the question has 3"):
        from_spec({"name": "two-coin/1"}, answers=3)


def test_names_carry_their_version():
    """A frozen name ends in its version, and finds its class."""
    assert all(name.endswith("/1") and kind.name == name for name, kind in MECHANISMS.items())
