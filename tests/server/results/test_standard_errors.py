"""Standard errors in both conventions, by name: these respondents, and the population."""

import csv
import io
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from math import sqrt

import numpy as np
import pytest
from sweeps import each

from tossup.server.estimation import (
    estimate_histogram,
    estimate_numbers,
    estimate_several,
    estimate_shares,
)
from tossup.server.estimation.designs.scores import channel_array, mean_scores
from tossup.server.kernels import kernel_of
from tossup.server.results import results, results_to_csv, results_to_json
from tossup.server.store.tally import Cell
from tossup.shared.kinds.number import Grid
from tossup.shared.mechanisms import (
    DiscreteGaussian,
    Duchi,
    FrequencyOracle,
    HadamardResponse,
    KaryRandomizedResponse,
    LocalHashing,
    OptimizedUnary,
    RandomizedResponse,
    SampledOptions,
    SubsetSelection,
    TruncatedGeometric,
    TwoCoin,
)
from tossup.shared.survey import Option, Question, Survey

TEN = Grid.integers(0, 10)
CHOICES = [
    KaryRandomizedResponse(5),
    KaryRandomizedResponse(16, 5, 2),
    *(
        kind.from_odds(odds, options)
        for kind in (SubsetSelection, OptimizedUnary, HadamardResponse, LocalHashing)
        for odds in (Fraction(3), Fraction(9, 2))
        for options in (4, 10)
    ),
]


def ids(mechanism) -> str:
    return f"{mechanism.name}, {mechanism.answers}, {mechanism.odds}"


@pytest.mark.parametrize(("yes", "n"), [(0, 10), (25, 100), (322, 1290), (900, 1000), (1, 1)])
def test_two_coins_have_the_published_ones(yes: int, n: int):
    """0.75 / n and 4 y (1 - y) / n, squared, whatever was answered."""
    share = estimate_shares((n - yes, yes), TwoCoin()).options[1]
    y = min(max(yes / n, 0.25), 0.75) if yes in {0, n} else yes / n  # reports that agree are none
    y = 0.4 if n == 1 else y

    assert pytest.approx(sqrt(0.75 / n)) == share.respondents_standard_error
    assert pytest.approx(sqrt(4 * y * (1 - y) / n)) == share.population_standard_error
    assert share.standard_error == share.population_standard_error


def test_they_differ_by_the_sampling_of_people():
    """At the estimated share the squares differ by share (1 - share) / n, exactly."""
    share = estimate_shares((600, 400), RandomizedResponse(((7, 3), (1, 9)))).options[1]
    sampling = share.population_standard_error**2 - share.respondents_standard_error**2

    assert pytest.approx(share.value * (1 - share.value) / 1000) == sampling


@each("mechanism", CHOICES)
def test_options_of_choices_and_oracles_have_both(mechanism):
    """For each option, with q and p the chances of naming it without and with it."""
    n, kernel = 50_000, kernel_of(mechanism)
    answers = [n - 10 * (mechanism.answers - 1), *[10] * (mechanism.answers - 1)]
    shares = estimate_shares(kernel.simulate(answers).tolist(), mechanism)
    assert len(shares.respondents_standard_errors()) == mechanism.answers
    for option in shares.options:
        q, p = (float(rate) for rate in option.rates)
        share = min(max(option.value, 0), 1)
        coins = (share * p * (1 - p) + (1 - share) * q * (1 - q)) / (p - q) ** 2 / n
        assert pytest.approx(sqrt(coins)) == option.respondents_standard_error
        assert option.respondents_standard_error <= option.population_standard_error * (
            1 + 1e-9
        ) or (not 0 <= option.value <= 1)


@pytest.mark.parametrize("mechanism", [TwoCoin(), SubsetSelection.from_odds(Fraction(3), 8)])
def test_the_coins_alone_spread_estimates_as_said(mechanism):
    """Of 4,000 runs with the same respondents, the spread is within 6 % (false alarm < 1e-6)."""
    runs, kernel = 4000, kernel_of(mechanism)
    answers = [140, 60, *[0] * (mechanism.answers - 2)]
    found = [estimate_shares(kernel.simulate(answers).tolist(), mechanism) for _ in range(runs)]
    spread = np.std([each.options[1].value for each in found])
    said = np.mean([each.options[1].respondents_standard_error for each in found])

    assert pytest.approx(1, abs=0.06) == spread / said


@pytest.mark.parametrize(
    "mechanism",
    [TruncatedGeometric.for_odds(11, Fraction(3)), DiscreteGaussian.for_odds(11, Fraction(9))],
    ids=ids,
)
def test_a_mean_has_both(mechanism):
    """That of these respondents is the coins' spread given the answers; within 5 % at 1e6 reports.

    The population's is larger by the spread of the answers.
    """
    answers = [0, 400_000, 0, 0, 0, 0, 0, 0, 0, 600_000, 0]
    mean = estimate_numbers(kernel_of(mechanism).simulate(answers).tolist(), mechanism, TEN)[0]
    channel, scores = channel_array(mechanism), mean_scores(mechanism)
    given = channel @ scores**2 - (channel @ scores) ** 2
    coins = sqrt(float(np.array(answers) @ given)) / 1_000_000

    assert pytest.approx(coins, rel=0.05) == mean.respondents_standard_error
    assert mean.respondents_standard_error < mean.population_standard_error


def test_where_reports_tell_a_mean_only_that_of_these_respondents_is_unknown():
    """One bit does not tell how much answers vary, so nothing is made up."""
    (mean,) = estimate_numbers((400, 600), Duchi(11), TEN)

    assert mean.respondents_standard_error is None
    assert mean.population_standard_error == mean.standard_error


def test_points_of_a_histogram_have_both():
    """Their scores' mean given an answer is 1 or 0: the variances differ by share (1 - share)."""
    mechanism = TruncatedGeometric.for_odds(5, Fraction(81))
    counts = kernel_of(mechanism).simulate([10_000, 0, 20_000, 0, 10_000]).tolist()
    for point in estimate_histogram(counts, mechanism, Grid.integers(0, 4)):
        between = point.population_standard_error**2 - point.respondents_standard_error**2
        expected = point.value * (1 - point.value) / 40_000
        assert pytest.approx(expected, abs=1e-7) == between


@dataclass(frozen=True)
class Record:
    survey: Survey
    state: str = "open"


@pytest.fixture
def shown(survey):
    """Results of a yes/no question, a choice by an oracle, and a number."""
    options = tuple(Option(f"o{n}", {"en": f"{n}"}) for n in range(4))
    oracle = SubsetSelection.from_odds(Fraction(3), 4)
    geometric = TruncatedGeometric.for_odds(11, Fraction(3))
    questions = (
        survey.questions[0],
        Question("colour", "colour", {"en": "?"}, options, oracle),
        Question("hours", "hours", {"en": "?"}, (), geometric, TEN),
    )
    asked = replace(survey, questions=questions, attributes=())
    cells = [
        Cell(
            asked.digest,
            q.id,
            date(2026, 1, 1),
            (),
            tuple(kernel_of(q.mechanism).simulate(a).tolist()),
        )
        for q, a in zip(
            questions,
            ([600, 400], [100, 400, 300, 200], [0, 0, 500, 0, 0, 500, *[0] * 5]),
            strict=True,
        )
    ]
    return results(Record(asked), cells)


@pytest.mark.parametrize("convention", ["population_standard_error", "respondents_standard_error"])
def test_results_have_both_by_name(shown, convention: str):
    """JSON and CSV: for yes/no, each option of a choice by an oracle, and a mean."""
    told = {q["id"]: q["estimates"] for q in results_to_json(shown)["questions"]}
    rows = list(csv.DictReader(io.StringIO(results_to_csv(shown))))
    by_row = {(row["question"], row["answer"]): row[convention] for row in rows if not row["day"]}

    for estimate in (*told["ever_tried"], *told["colour"], told["hours"][0]):
        assert 0 < estimate[convention] < 1
    assert str(told["ever_tried"][0][convention]) == by_row["ever_tried", "yes"]
    assert str(told["colour"][3][convention]) == by_row["colour", "o3"]
    assert str(told["hours"][0][convention]) == by_row["hours", "mean"]


def test_the_share_of_clipped_answers_is_stated_as_unknown(shown):
    """A number says which bounds clip, and null for how many; other questions have no such key."""
    yes_no, choice, number = results_to_json(shown)["questions"]

    assert {"low": "0", "high": "10", "share": None} == number["clipped"]
    assert "clipped" not in yes_no
    assert "clipped" not in choice


def test_every_oracle_is_tried():
    """So that a new one is not left out of what is said here."""
    tried = {type(mechanism) for mechanism in CHOICES if isinstance(mechanism, FrequencyOracle)}

    assert {SubsetSelection, OptimizedUnary, HadamardResponse, LocalHashing} <= tried


@pytest.mark.prove
def test_drawing_who_is_asked_is_a_coin_too():
    """Where a report asks one of four options: within 10 % of 1,500 runs (false alarm < 1e-6)."""
    mechanism = SampledOptions(4, most=4, asked=1, keep=9, lie=1)
    runs, kernel = 1500, kernel_of(mechanism)
    sets = [200, 500, 0, 300, *[0] * 12]  # 80 % tick the first option, 30 % the second
    found = [estimate_several(kernel.simulate(sets).tolist(), mechanism) for _ in range(runs)]
    for option in (0, 1):
        spread = np.std([each.options[option].value for each in found])
        said = np.mean([each.options[option].respondents_standard_error for each in found])

        assert pytest.approx(1, abs=0.1) == spread / said, option
