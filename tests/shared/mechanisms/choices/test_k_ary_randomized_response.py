"""K-ary randomized response: its whole channel, its odds, and every value of its one choice."""

import json
from decimal import Decimal
from fractions import Fraction
from math import log
from pathlib import Path

import pytest
from channels import channel, drawn, largest_ratio
from small_designs import of
from sweeps import each

from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms import KaryRandomizedResponse
from tossup.shared.odds import epsilon, largest_odds

THRESHOLDS = json.loads(Path(__file__).with_name("golden_thresholds.json").read_text())["rows"]
COARSE = [row for row in THRESHOLDS if row["eps"] != "ln3" and row["bits"] == 32]
each_design = each("design", of(KaryRandomizedResponse))


@pytest.mark.prove
@each_design
def test_every_row_of_a_channel_is_a_distribution(design: KaryRandomizedResponse):
    """Probabilities are positive ratios of integers that sum to exactly 1."""
    for row in design.channel():
        assert 1 == sum(row)
        assert all(0 < chance < 1 and isinstance(chance, Fraction) for chance in row)


@each_design
def test_odds_by_enumeration(design: KaryRandomizedResponse):
    """The odds are the largest ratio over all reports and all pairs of answers."""
    assert design.odds == largest_ratio(channel(design))


@each_design
def test_the_sampler_follows_the_weights(design: KaryRandomizedResponse):
    """Over every value of its single choice, each report comes exactly weight times."""
    for answer in sorted({0, 1, design.answers // 2, design.answers - 1}):
        assert dict(enumerate(design.weights[answer])) == drawn(design, answer)


@each(
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


def asked_of(row: dict) -> Decimal:
    return epsilon(Fraction(3), 45) if row["eps"] == "ln3" else Decimal(row["eps"])


def of_epsilon(asked: int, steps: int) -> KaryRandomizedResponse:
    odds = largest_odds(Decimal(asked), steps + 1)
    return KaryRandomizedResponse(steps + 1, *odds.as_integer_ratio())


def loss_of(odds: Fraction, asked: Decimal) -> float:
    """By how much the epsilon of some odds is below the asked one."""
    return float(asked - epsilon(odds, 40))


@each("row", THRESHOLDS)
def test_thresholds_of_so_many_bits_realise_the_published_epsilon(row: dict):
    """An answer is kept below a threshold, else drawn: odds of 1 + k T / (2**bits - T)."""
    most, kept = 2 ** row["bits"], int(row["keep_threshold"])
    odds, above = (1 + Fraction(row["k"] * t, most - t) for t in (kept, kept + 1))
    loss = loss_of(odds, asked_of(row))

    assert pytest.approx(row["eps_loss"], rel=1e-6, abs=1e-27) == loss
    assert loss_of(above, asked_of(row)) < 0


@each("row", COARSE)
def test_our_integers_lose_less_than_a_threshold_of_32_bits(row: dict):
    """The largest ratio that fits into 2**32 is at least 50,000 times as close to the asked one."""
    loss = loss_of(largest_odds(Decimal(row["eps"]), row["k"]), asked_of(row))

    assert 0 <= loss <= row["eps_loss"] / 50_000


#: Epsilon, G for G + 1 points, and how often an answer is kept: Waudby-Smith, Wu and Ramdas 2023.
KEPT = [
    (1, 1, 0.46211715726000974),
    (1, 2, 0.3641753271487437),
    (1, 10, 0.13510329867153395),
    (2, 1, 0.7615941559557649),
    (2, 2, 0.6804790632423977),
    (2, 10, 0.3674182234263738),
    (4, 1, 0.9640275800758169),
    (4, 2, 0.9469947339578558),
    (4, 10, 0.8297164857762013),
]

#: Epsilon asked, G, and what nprr 0.1.4 realises: it rounds a continuous uniform number, so that
#: each end of the range comes half as often as a point between.
ROUNDED = [
    (1, 1, 1.0),
    (1, 2, 1.1912043650301103),
    (1, 6, 1.372607621467224),
    (1, 10, 1.4168596418901174),
    (2, 1, 1.9999999999999998),
    (2, 2, 2.2532626410348913),
    (2, 6, 2.4809544834375363),
    (2, 10, 2.53500275722468),
    (4, 1, 4.000000000000001),
    (4, 2, 4.283092647411067),
    (4, 6, 4.53133571550281),
    (4, 10, 4.589560809872844),
]


@each("asked, steps, kept", KEPT)
def test_an_answer_is_kept_as_often_as_published(asked: int, steps: int, kept: float):
    """Of steps + 1 options, one is kept with (odds - 1) / (odds + steps), else drawn evenly."""
    design = of_epsilon(asked, steps)

    assert pytest.approx(kept, rel=1e-8) == float(
        design.probability(0, 0) - design.probability(1, 0)
    )


@each("asked, steps, realised", ROUNDED)
def test_the_ends_come_as_often_as_a_point_between(asked: int, steps: int, realised: float):
    """What a rounded uniform number realises is as published; ours never exceeds what was asked."""
    design = of_epsilon(asked, steps)
    kept = float(design.probability(0, 0) - design.probability(1, 0))
    end = (1 - kept) / (2 * steps)

    assert pytest.approx(realised, rel=1e-8) == log((kept + end) / end)
    assert pytest.approx(asked, rel=1e-8) == log(design.odds)
    assert design.odds == design.probability(steps, steps) / design.probability(0, steps)
    assert epsilon(design.odds, 40) <= asked
