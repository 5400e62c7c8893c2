"""The most likely choice: named when the reports tell it, and honestly not told apart when not."""

import csv
import json
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from io import StringIO
from itertools import combinations
from math import comb

import numpy as np
import pytest

from tossup.server.cli.reading.leading import leading_as_text
from tossup.server.estimation import norm_sub
from tossup.server.estimation.comparing.apart import apart
from tossup.server.kernels import kernel_of
from tossup.server.kinds.told.leading import leading
from tossup.server.results import Slice, results, results_to_csv, results_to_json
from tossup.server.store.tally import Cell
from tossup.shared.kinds.ranking import Ranking
from tossup.shared.kinds.several import Several
from tossup.shared.kinds.yes_no import YesNo
from tossup.shared.mechanisms import (
    KaryRandomizedResponse,
    PermuteAndFlip,
    PerOptionBits,
    RankedChoice,
    SampledOptions,
    TwoCoin,
)
from tossup.shared.survey import Option, Question


@dataclass(frozen=True)
class Record:
    survey: object
    state: str = "open"


def options(count: int) -> tuple[Option, ...]:
    return tuple(Option(f"o{place}", {"en": f"Option {place}"}) for place in range(count))


#: Yes/no, or the options if there are any.
NO_FIELD = YesNo()


def part(mechanism, counts, domain=NO_FIELD, looks="one", confidence=0.95) -> Slice:
    places = options(getattr(mechanism, "options", mechanism.answers))
    question = Question("q", "q", {"en": "Q?"}, places, mechanism, domain)
    return Slice(question, tuple(counts), 1, confidence, looks=looks)


def choice(*counts: int, **more) -> Slice:
    return part(KaryRandomizedResponse(len(counts)), counts, **more)


def in_words(found) -> tuple[str, bool, list[str]]:
    return found.top.answer, found.is_sure, [other.answer for other in found.not_told_apart]


def test_a_clear_winner_is_named():
    """The intervals of both differences leave 0 out."""
    assert in_words(choice(700, 150, 150).leading) == ("o0", True, [])


def test_a_close_race_is_called_close():
    """340 against 330 of 1,000 is no win; the third is told apart."""
    assert in_words(choice(340, 330, 200).leading) == ("o0", False, ["o1"])


def test_a_tie_has_no_largest():
    """Two answers with equally many reports: neither is named above the other."""
    found = choice(340, 340, 320).leading

    assert (found.tied, found.is_sure) == (2, False)
    assert choice(340, 330, 330).leading.tied == 1


def test_differences_begin_with_the_runner_up():
    """Largest first, whatever the order of the options."""
    found = choice(100, 300, 200, 400).leading

    assert [lead.other.answer for lead in found.leads] == ["o1", "o2", "o0"]
    assert found.top.answer == "o3"


def test_the_interval_is_that_of_correlated_shares():
    """With many reports about z standard errors of the difference, at the shared level."""
    mechanism = PermuteAndFlip.from_odds(Fraction(3), 3)
    asked = part(mechanism, (500, 300, 200))
    lead = asked.leading.leads[0]
    z = 2.3939797998185104  # 1 - 0.05 / 3, two-sided
    half = (lead.interval.high - lead.interval.low) / 2

    assert half == pytest.approx(z * lead.standard_error, rel=0.004)
    assert (lead.interval.method, lead.interval.intervals) == ("mover-score", 3)


def test_two_options_lead_as_a_yes_no_question_does():
    """With two options the difference is 2 share - 1, and so is its interval, but for a report."""
    lead = part(KaryRandomizedResponse(2), (600, 400)).leading.leads[0]
    share = part(KaryRandomizedResponse(2), (600, 400)).estimates[0].interval
    report = 1 / 1000 / (3 / 4 - 1 / 4)

    assert lead.interval.low == pytest.approx(2 * share.low - 1 - report)
    assert lead.interval.high == pytest.approx(2 * share.high - 1 + report)


@pytest.mark.prove
@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.99])
def test_equal_options_are_told_apart_no_more_often_than_said(confidence: float):
    """Two options that are equally common, by exact sums over all reports of n people.

    Reports are fair coins then, whatever the odds; for every n from 1 to 130.
    """
    design = KaryRandomizedResponse(2)
    for n in range(1, 131):
        wrong = sum(
            2 * comb(n, top)
            for top in range(n // 2 + 1, n + 1)
            if part(design, (top, n - top), confidence=confidence).leading.is_sure
        )

        assert wrong / 2**n <= 1 - confidence, n


def test_yes_no_has_no_leading_option():
    """One estimate is compared with nothing."""
    assert Slice(Question("q", "q", {"en": "?"}, (), TwoCoin()), (9, 9), 1, 0.95).leading is None


def test_too_few_reports_have_no_leading_option():
    """Nothing is said below the survey's minimum."""
    assert replace(choice(340, 330, 330), minimum=1001).leading is None


def test_options_asked_together_differ_by_the_ends_of_both_intervals():
    """Where the correlation is not told, the interval holds whatever it is."""
    mechanism = PerOptionBits.from_odds(Fraction(9), 3, 2)
    counts = kernel_of(mechanism).simulate([0, 300, 0, 200, 0, 0, 0, 0]).tolist()
    asked = part(mechanism, counts, Several(("o0", "o1", "o2"), most=2))
    found = asked.leading
    top, other = (e.shared_interval(among=3) for e in (found.top, found.leads[0].other))

    assert found.leads[0].interval.low == pytest.approx(top.low - other.high)
    assert found.leads[0].standard_error is None
    assert found.leads[0].interval.method == "ends-score"


def test_at_every_look_the_ends_of_both_intervals_are_taken():
    """A correlation at one look says nothing of all looks together."""
    once, every = choice(700, 150, 150).leading, choice(700, 150, 150, looks="every").leading
    wide, narrow = (found.leads[0].interval for found in (every, once))

    assert wide.method == "ends-anytime"
    assert wide.low < narrow.low < narrow.high < wide.high


@pytest.mark.parametrize(
    ("runs", "most"), [(500, 51), pytest.param(2000, 150, marks=pytest.mark.prove)]
)
def test_intervals_hold_for_every_pair_together(runs: int, most: int):
    """At most 51 of 500 surveys have one of six wrong, or 150 of 2,000: 95 % are right at least.

    25 wrong ones are expected at most, or 100; more come with a probability below 1e-6.
    """
    mechanism, missed = KaryRandomizedResponse(4), 0
    shares, random = np.array([0.4, 0.3, 0.2, 0.1]), np.random.default_rng(3)
    channel = np.array([[float(chance) for chance in row] for row in mechanism.channel()])
    for counts in random.multinomial(400, shares @ channel, size=runs).tolist():
        asked = part(mechanism, counts)
        population = asked.told.covariance.population
        missed += any(
            _is_missed(asked.estimates, population, shares, pair)
            for pair in combinations(range(4), 2)
        )

    assert missed <= most


def _is_missed(estimates, covariance, shares, pair) -> bool:
    """Return whether the interval of two options, one of six that hold together, is wrong."""
    first, second = (estimates[place] for place in pair)
    both = covariance[pair] / np.sqrt(covariance[pair[0], pair[0]] * covariance[pair[1], pair[1]])
    sides = [(e.value, e.shared_interval(among=comb(4, 2))) for e in (first, second)]
    low, high = apart(*sides, float(both))
    return not low <= shares[pair[0]] - shares[pair[1]] <= high


def test_an_option_that_all_reports_name_still_has_an_interval():
    """Its estimate does not seem to vary, so no correlation is assumed."""
    lead = choice(30, 0, 0).leading.leads[0]

    assert lead.interval.low < lead.value < lead.interval.high
    assert lead.interval.method == "ends-score"


def test_one_estimate_leads_nothing():
    """Of several options only one was asked."""
    asked = part(SampledOptions(2, most=2), (5, 0, 5, 0), Several(("o0", "o1"), most=2))

    assert len(asked.estimates) == 1
    assert leading(asked.estimates, None) is None
    assert asked.told.covariance is None


@pytest.fixture
def documents(survey):
    """Results of a yes/no question, one of five, a choice by score, an order, as JSON and CSV."""
    scored = PermuteAndFlip.from_odds(Fraction(3), 3)
    ranks = RankedChoice((6, 4, 2))
    questions = (
        survey.questions[0],
        survey.questions[1],
        Question("place", "place", {"en": "?"}, options(3), scored),
        Question("order", "order", {"en": "?"}, options(3), ranks, Ranking(("o0", "o1", "o2"))),
    )
    asked = replace(survey, questions=questions, attributes=())
    tallies = ((700, 300), (400, 300, 150, 149, 1), (500, 300, 200), (400, 390, 210))
    cells = [
        Cell(asked.digest, question.id, date(2026, 1, 1), (), counts)
        for question, counts in zip(questions, tallies, strict=True)
    ]
    found = results(Record(asked), cells)
    document = json.loads(json.dumps(results_to_json(found), allow_nan=False))
    return document["questions"], list(csv.DictReader(StringIO(results_to_csv(found))))


def test_json_names_the_most_likely_choice(documents):
    """For each choice the largest estimate, with its interval, n and what it is told apart from."""
    yes_no, rating, place, order = documents[0]
    named = [question["most_likely"] for question in (rating, place, order)]

    assert "most_likely" not in yes_no
    assert [top["answer"] for top in named] == ["r1", "o0", "o0"]
    assert [top["told_apart"] for top in named] == [True, True, False]
    assert named[2]["not_told_apart_from"] == ["o1"]
    assert [top["n"] for top in named] == [1000] * 3
    assert rating["most_likely"]["differences"][0]["than"] == "r2" == named[0]["runner_up"]
    assert all(top["low"] < top["value"] < top["high"] for top in named)


def test_json_has_the_covariance_in_both_conventions(documents):
    """Rows and columns are the answers; diagonals the squared standard errors by name."""
    _, rating, _, order = documents[0]
    covariance, estimates = rating["covariance"], rating["estimates"]

    assert covariance["answers"] == [estimate["answer"] for estimate in estimates]
    for convention in ("population", "respondents"):
        squares = [estimate[f"{convention}_standard_error"] ** 2 for estimate in estimates]
        assert np.allclose(squares, np.diag(covariance[convention]))
    assert covariance["reason"] is None
    assert order["covariance"]["respondents"] is None
    assert "ranks" in order["covariance"]["reason"]


def test_the_nearest_possible_shares_stand_beside_raw_estimates(documents):
    """A view by its name; estimates and their intervals stay as they are, negative ones too."""
    _, rating, place, order = documents[0]
    raw = [estimate["value"] for estimate in rating["estimates"]]
    view = rating["possible_shares"]

    assert min(raw) < 0
    assert (view["view"], view["n"]) == ("norm-sub", 1000)
    assert view["shares"] == list(norm_sub(raw))
    assert min(view["shares"]) == 0
    assert sum(place["possible_shares"]["shares"]) == pytest.approx(1)
    assert "possible_shares" not in order  # mean points do not sum to 1


def test_csv_has_each_answers_distance_and_the_view(documents):
    """In rows of all reports: behind the leader, with the interval; days have neither."""
    questions, table = documents
    rows = [row for row in table if row["question"] == "rating" and not row["day"]]
    behind, second = rows[1], questions[1]["most_likely"]["differences"][0]

    assert [row["leader"] for row in rows] == ["", "r1", "r1", "r1", "r1"]
    assert (float(behind["lead"]), float(behind["lead_low"])) == (second["value"], second["low"])
    assert [float(row["possible_share"]) for row in rows] == (
        questions[1]["possible_shares"]["shares"]
    )
    assert {row["possible_share"] for row in table if row["day"]} == {""}


def test_a_choice_of_many_is_not_listed_pair_by_pair(survey):
    """Above 64 options: who leads and what it is not told apart from, no differences, no matrix."""
    question = replace(
        survey.questions[1], options=options(65), mechanism=KaryRandomizedResponse(65)
    )
    asked = replace(survey, questions=(question,), attributes=())
    cell = Cell(asked.digest, question.id, date(2026, 1, 1), (), (500, *[20] * 64))
    (found,) = results_to_json(results(Record(asked), [cell]))["questions"]

    assert found["most_likely"]["told_apart"]
    assert found["most_likely"]["differences"] == []
    assert found["covariance"]["population"] is None
    assert found["covariance"]["reason"] == "more than 64 options"


def test_the_command_line_says_it_in_a_line(documents):
    """With interval and reports, and in words what the data cannot tell."""
    told = leading_as_text(documents[0])

    assert "rating: largest share r1 (" in told
    assert "1,000 reports), told apart from all others." in told
    assert "order: most mean points o0 (" in told
    assert "not told apart from o1." in told
    assert "ever_tried" not in told


def test_an_older_server_has_no_such_line():
    """Results without the key are printed as before."""
    assert leading_as_text([{"id": "q"}, {"id": "r", "most_likely": None}]) == ""
