"""Results: pooling, filters, suppression, and their JSON and CSV."""

import csv
import json
from dataclasses import dataclass, replace
from datetime import date, timedelta
from fractions import Fraction
from io import StringIO
from math import erfc, sqrt
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sweeps import each

from tossup.server.estimation import estimate_share, estimate_shares
from tossup.server.results import (
    FilterError,
    parse_query,
    pooled,
    results,
    results_to_csv,
    results_to_json,
)
from tossup.server.results.as_csv import COLUMNS
from tossup.server.store.tally import Cell
from tossup.shared.kinds.several import Several
from tossup.shared.mechanisms import (
    KaryRandomizedResponse,
    RandomizedResponse,
    SampledOptions,
    TwoCoin,
)
from tossup.shared.survey import Attribute, Option, Question, Survey

MONDAY = date(2026, 3, 2)
YES_NO, RATING = "ever_tried", "rating"
NORTH, SOUTH = (0,), (1,)


@dataclass(frozen=True)
class Record:
    survey: Survey
    state: str = "open"


def cell(survey, question=YES_NO, day=0, stratum=NORTH, counts=(150, 50)):
    return Cell(survey.digest, question, MONDAY + timedelta(days=day), stratum, counts)


def numbers(result):
    return [(e.answer, e.value, e.interval, e.shown, e.n) for e in result.estimates]


def second_version(survey, **changes):
    return replace(survey, version=2, previous=survey.digest, **changes)


def test_it_works(survey):
    """Cells of a question add up, and its estimate is that of the sum."""
    found = results(Record(survey), [cell(survey), cell(survey, day=1, stratum=SOUTH)])

    assert found.question(YES_NO).total.counts == (300, 100)
    assert found.question(YES_NO).estimates[0].share == estimate_share((300, 100), TwoCoin())


def test_a_choice_has_an_estimate_an_option(survey):
    """Five options, five estimates, in the manifest's order."""
    counts = (60, 50, 40, 30, 20)
    found = results(Record(survey), [cell(survey, RATING, counts=counts)]).question(RATING)

    assert [e.answer for e in found.estimates] == ["r1", "r2", "r3", "r4", "r5"]
    assert tuple(e.share for e in found.estimates) == (
        estimate_shares(counts, KaryRandomizedResponse(5)).options
    )


def test_no_estimate_is_made_from_fewer_reports_than_the_minimum(survey):
    """99 of 100: only n and the minimum are told."""
    found = results(Record(survey), [cell(survey, counts=(60, 39))]).question(YES_NO)

    assert (found.suppressed, found.n, found.total.minimum) == (True, 99, 100)
    assert (found.estimates, found.design_p_value) == ((), None)


def test_the_minimum_itself_is_enough(survey):
    """100 of 100."""
    assert not results(Record(survey), [cell(survey, counts=(60, 40))]).question(YES_NO).suppressed


def test_days_and_groups_are_suppressed_on_their_own(survey):
    """150 reports in all suffice; neither day nor group has 100."""
    cells = [cell(survey, counts=(60, 15)), cell(survey, day=1, stratum=SOUTH, counts=(60, 15))]
    found = results(Record(survey), cells).question(YES_NO)

    assert not found.suppressed
    assert [part.suppressed for part in (*found.days, *found.groups)] == [True] * 4


def test_every_option_of_an_attribute_has_a_group(survey):
    """A group without reports is listed with n = 0, not left out."""
    found = results(Record(survey), [cell(survey)]).question(YES_NO)

    assert [(g.attribute, g.option, g.n) for g in found.groups] == [
        ("region", "north", 200),
        ("region", "south", 0),
    ]


def test_days_come_in_order(survey):
    """Whatever the order of the cells, and only days with reports."""
    found = results(Record(survey), [cell(survey, day=9), cell(survey, day=2)]).question(YES_NO)

    assert [part.day for part in found.days] == [date(2026, 3, 4), date(2026, 3, 11)]


def test_a_day_with_far_more_reports_than_before_stands_out(survey):
    """A thousand or more, over ten times any day before, of which there are three; it stays."""
    cases = {
        (100, 90, 80, 1001): 3,
        (100, 90, 80, 1000): None,  # ten times as many, not more
        (10, 9, 8, 999): None,
        (10, 9, 5000): None,
        (100, 90, 80, 2000, 3000): 3,
        (100, 90, 80, 2000, 30_000): 4,
        (): None,
    }
    for sizes, expected in cases.items():
        cells = [cell(survey, day=day, counts=(n, 0)) for day, n in enumerate(sizes)]
        found = results(Record(survey), cells).question(YES_NO).jump
        wanted = None if expected is None else MONDAY + timedelta(days=expected)

        assert wanted == (found and found.day), sizes


def test_pooled_days_are_their_sum(survey):
    """What the trend draws over a week."""
    found = results(Record(survey), [cell(survey, day=day) for day in range(7)]).question(YES_NO)

    assert pooled(found.days) == found.total


@each(
    "filters, n",
    [
        ({}, 40),
        ({"first_day": date(2026, 3, 3)}, 30),
        ({"last_day": date(2026, 3, 3)}, 30),
        ({"first_day": date(2026, 3, 3), "last_day": date(2026, 3, 3)}, 20),
        ({"where": {"region": "south"}}, 10),
        ({"where": {"region": "south"}, "last_day": date(2026, 3, 2)}, 0),
    ],
)
def test_filters_choose_days_and_groups(survey, filters, n):
    """Both ends of a range are included."""
    cells = [cell(survey, day=day, counts=(5, 5)) for day in range(3)]
    cells.append(cell(survey, day=1, stratum=SOUTH, counts=(5, 5)))

    assert results(Record(survey), cells, **filters).question(YES_NO).n == n


@pytest.mark.parametrize(
    ("filters", "words"),
    [
        ({"where": {"colour": "red"}}, "this survey has where.region"),
        ({"where": {"region": "west"}}, "one of north, south"),
        ({"first_day": date(2026, 3, 3), "last_day": date(2026, 3, 2)}, "not be after"),
        ({"confidence": 95}, "from 0.5 to 0.9999"),
        ({"confidence": float("nan")}, "from 0.5 to 0.9999"),
    ],
)
def test_filters_that_cannot_be_followed_are_refused(survey, filters, words):
    """An ignored filter would show the wrong numbers as if they were right."""
    with pytest.raises(FilterError, match=words):
        results(Record(survey), [], **filters)


def test_a_query_string_becomes_filters():
    """As a form sends it, empty fields included."""
    query = {
        "from": "2026-03-01",
        "to": "2026-03-31",
        "confidence": "0.9",
        "where.region": "",
        "where.age": "a",
        "where.to": "b",
    }

    assert parse_query(query) == {
        "first_day": date(2026, 3, 1),
        "last_day": date(2026, 3, 31),
        "confidence": 0.9,
        "where": {"age": "a", "to": "b"},
    }


@pytest.mark.parametrize(
    "query",
    [
        {"from": "yesterday"},
        {"to": "20260331"},
        {"to": "2026-02-30"},
        {"confidence": "high"},
        {"age": "elderly"},
    ],
)
def test_a_query_that_is_none_is_refused_without_echo(query):
    """The message names the form that is right, not what was sent."""
    with pytest.raises(FilterError) as caught:
        parse_query(query)

    assert not any(value in str(caught.value) for value in query.values())


def test_confidence_reaches_every_interval(survey):
    """Both the raw and the shown interval carry it."""
    [estimate] = results(Record(survey), [cell(survey)], confidence=0.8).question(YES_NO).estimates

    assert estimate.interval.confidence == estimate.shown.interval.confidence == 0.8


def test_versions_with_the_same_answers_and_coins_pool(survey):
    """A reworded question keeps its reports; the newest wording is shown."""
    reworded = replace(survey.questions[0], text={"en": "Have you tried it, ever?"})
    newer = second_version(survey, questions=(reworded, survey.questions[1]))
    found = results(Record(newer), [cell(survey), cell(newer)], versions=[survey, newer])

    assert len(found.questions) == 2
    assert found.question(YES_NO).versions == (1, 2)
    assert found.question(YES_NO).n == 400
    assert found.question(YES_NO).question.text["en"] == "Have you tried it, ever?"


def test_versions_with_other_coins_stay_apart(survey):
    """Reports of different designs are never added up; the older comes last, with its version."""
    other = replace(survey.questions[0], mechanism=RandomizedResponse(((9, 1), (1, 9))))
    newer = second_version(survey, questions=(other, survey.questions[1]))
    found = results(Record(newer), [cell(survey), cell(newer)], versions=[survey, newer])

    assert [(q.question.id, q.versions, q.n) for q in found.questions] == [
        (YES_NO, (2,), 200),
        (RATING, (1, 2), 0),
        (YES_NO, (1,), 200),
    ]


def test_attributes_of_older_versions_remain_groups(survey):
    """Reports that lack the newer attribute are in no group of it, and no filter finds them."""
    sex = Attribute("sex", {"en": "Sex"}, (Option("f", {"en": "F"}), Option("m", {"en": "M"})))
    newer = second_version(survey, attributes=(sex,))
    cells = [cell(survey), cell(newer, counts=(100, 10))]
    found = results(Record(newer), cells, versions=[survey])

    assert [(g.option, g.n) for g in found.question(YES_NO).groups] == [
        ("f", 110),
        ("m", 0),
        ("north", 200),
        ("south", 0),
    ]
    assert (
        results(Record(newer), cells, versions=[survey], where={"sex": "f"}).questions[0].n == 110
    )


def test_cells_of_an_unknown_manifest_are_an_error(survey):
    """Leaving them out would lose reports silently."""
    newer = second_version(survey)

    with pytest.raises(LookupError):
        results(Record(survey), [cell(newer)])


def test_the_design_check_tells_possible_reports_from_impossible_ones(survey):
    """A tenth of 1,000 is far below the quarter that coins alone give."""
    possible = results(Record(survey), [cell(survey, counts=(750, 250))]).question(YES_NO)
    impossible = results(Record(survey), [cell(survey, counts=(900, 100))]).question(YES_NO)

    assert (possible.possible_under_design, impossible.possible_under_design) == (True, False)


def test_json_holds_the_codebook(survey):
    """Texts, labels and the exact design stand beside the numbers."""
    document = results_to_json(results(Record(survey), [cell(survey)]))
    question = document["questions"][0]

    assert document["survey"]["title"] == {"en": "Habits"}
    assert (document["survey"]["odds"], document["survey"]["manifest"]) == ("9", survey.digest)
    assert question["text"] == {"en": "Have you ever tried it?"}
    assert question["design"]["channel"] == [["3/4", "1/4"], ["1/4", "3/4"]]
    assert (question["design"]["odds"], question["design"]["epsilon"]) == ("3", "1.0987")
    assert document["attributes"][0]["options"][1] == {"id": "south", "label": {"en": "South"}}


def test_json_keeps_a_negative_estimate(survey):
    """Raw in every export; only the shown one is cut."""
    document = results_to_json(results(Record(survey), [cell(survey, counts=(780, 220))]))
    [estimate] = document["questions"][0]["estimates"]

    assert pytest.approx(-0.06) == estimate["value"]
    assert (estimate["shown_value"], estimate["shown_low"]) == (0, 0)


def test_json_of_a_suppressed_question_tells_no_counts(survey):
    """From counts anyone could estimate."""
    question = results_to_json(results(Record(survey), [cell(survey, counts=(6, 3))]))["questions"][
        0
    ]

    assert (question["n"], question["minimum"], question["suppressed"]) == (9, 100, True)
    assert (question["counts"], question["estimates"]) == (None, [])


def rows(found, language=None):
    return list(csv.DictReader(StringIO(results_to_csv(found, language))))


def test_csv_has_a_row_for_each_answer_of_each_slice(survey):
    """All, one day and two groups: four slices of one and of five answers."""
    found = rows(results(Record(survey), [cell(survey), cell(survey, RATING, counts=(40,) * 5)]))

    assert len(found) == 4 * (1 + 5)
    assert tuple(found[0]) == COLUMNS


def many_options(survey):
    """A choice of 256, with one day of reports from two groups, as results."""
    options = tuple(Option(f"o{place}", {"en": f"Option {place}"}) for place in range(256))
    mechanism = KaryRandomizedResponse(256)
    question = replace(survey.questions[1], options=options, mechanism=mechanism)
    wide = replace(survey, questions=(question,))
    cells = [cell(wide, RATING, stratum=group, counts=(2,) * 256) for group in (NORTH, SOUTH)]
    return results(Record(wide), cells)


def test_many_options_make_no_large_answer(survey):
    """What one anonymous request costs: the table of 256 x 256 chances is in no form's rows."""
    found = many_options(survey)
    design = results_to_json(found)["questions"][0]["design"]

    assert len(results_to_csv(found)) < 1_000_000
    assert design["channel"] == [["257/258", "1/258"], ["85/86", "1/86"]]
    assert design["mechanism"] == KaryRandomizedResponse(256).spec()


def test_csv_has_what_turns_its_counts_into_its_estimates(survey):
    """The fraction that names the answer, less q, over p - q."""
    row = rows(results(Record(survey), [cell(survey, RATING, counts=(60, 50, 40, 30, 20))]))[-10]
    q, p = (Fraction(row[name].replace(" in ", "/")) for name in ("named_otherwise", "named"))
    named = Fraction(int(row["reports"]), int(row["n"]))

    assert (q, p) == (Fraction(1, 7), Fraction(3, 7))
    assert float((named - q) / (p - q)) == float(row["value"])


def test_csv_keeps_code_and_label_apart(survey):
    """So that neither has to be cut out of the other."""
    found = rows(results(Record(survey), [cell(survey, RATING, counts=(40,) * 5)]))
    row = next(row for row in found if row["question"] == RATING and row["option"] == "south")

    assert (row["answer"], row["answer_label"]) == ("r1", "1 of 5")
    assert (row["attribute"], row["attribute_text"], row["option_label"]) == (
        "region",
        "Region",
        "South",
    )


def test_csv_of_a_suppressed_slice_has_no_numbers_but_n(survey):
    """And no count of reports either."""
    row = rows(results(Record(survey), [cell(survey, counts=(6, 3))]))[0]
    empty = set(COLUMNS[COLUMNS.index("reports") :]) - {"rests_on"}

    assert (row["n"], row["minimum"], row["suppressed"]) == ("9", "100", "true")
    assert row["rests_on"] == "9"
    assert {row[name] for name in empty} == {""}


@pytest.mark.parametrize("sign", ["=", "+", "-", "@"])
def test_csv_texts_cannot_be_formulas(survey, sign):
    """A question may be worded to run in a spreadsheet; it does not."""
    evil = replace(survey.questions[0], text={"en": f"{sign}1+1"})
    row = rows(results(Record(replace(survey, questions=(evil,))), []))[0]

    assert row["question_text"] == f"'{sign}1+1"


def test_csv_keeps_negative_numbers_numbers(survey):
    """The guard is for texts only."""
    row = rows(results(Record(survey), [cell(survey, counts=(780, 220))]))[0]

    assert pytest.approx(-0.06) == float(row["value"])


def test_csv_speaks_the_language_that_is_asked_for(survey):
    """Labels in one of the survey's languages."""
    both = Survey.parse(survey.payload)
    question = replace(both.questions[0], text={"en": "Ever?", "zh-Hans": "曾经？"})
    attribute = Attribute(
        "region",
        {"en": "Region", "zh-Hans": "地区"},
        tuple(Option(o, {"en": o, "zh-Hans": "北"}) for o in ("north", "south")),
    )
    both = replace(
        both,
        languages=("en", "zh-Hans"),
        title={"en": "Habits", "zh-Hans": "习惯"},
        purpose={"en": "To learn.", "zh-Hans": "研究"},
        questions=(question,),
        attributes=(attribute,),
    )

    assert rows(results(Record(both), []), "zh-Hans")[0]["question_text"] == "曾经？"
    assert rows(results(Record(both), []))[0]["question_text"] == "Ever?"


@st.composite
def tallies(draw):
    """Cells of both questions over a few days and groups, some days below the minimum."""
    random = Random(draw(st.integers(0, 2**32)))
    largest = draw(st.sampled_from([3, 60, 500]))
    return [
        (question, day, stratum, tuple(random.randint(0, largest) for _ in range(width)))
        for question, width in ((YES_NO, 2), (RATING, 5))
        for day in range(draw(st.integers(0, 4)))
        for stratum in (NORTH, SOUTH)
    ]


def estimates_in(document):
    """Yield every object that holds an estimate, however deep."""
    if isinstance(document, dict):
        if any(key in document for key in ("value", "shown_value", "standard_error")):
            yield document
        for part in document.values():
            yield from estimates_in(part)
    elif isinstance(document, list):
        for part in document:
            yield from estimates_in(part)


def least(n):
    """Return the smaller n of a comparison, or n."""
    return min(n) if isinstance(n, list) else n


@given(tallies())
@settings(max_examples=40)
def test_no_estimate_leaves_as_json_without_interval_and_n(survey, tally):
    """Whatever the reports: value, both intervals, their method and n, and n >= the minimum."""
    found = results(Record(survey), [cell(survey, *parts) for parts in tally])
    document = json.loads(json.dumps(results_to_json(found), allow_nan=False))
    wanted = {"n", "low", "high", "confidence", "method"}

    for estimate in estimates_in(document):
        assert wanted <= estimate.keys()
        assert least(estimate["n"]) >= survey.minimum_batch
        if "answer" in estimate:
            assert (
                0 <= estimate["shown_low"] <= estimate["shown_value"] <= estimate["shown_high"] <= 1
            )


@given(tallies())
@settings(max_examples=40)
def test_no_estimate_leaves_as_csv_without_interval_and_n(survey, tally):
    """The same of every row."""
    for row in rows(results(Record(survey), [cell(survey, *parts) for parts in tally])):
        wanted = ("low", "high", "confidence", "method", "shown_low", "shown_high", "n")
        has_value = row["value"] != ""

        assert {row[name] != "" for name in wanted[:-1]} == {has_value}
        assert has_value == (int(row["n"]) >= survey.minimum_batch)


@given(tallies())
@settings(max_examples=40)
def test_days_and_groups_each_add_up_to_the_total(survey, tally):
    """No report is counted twice or lost on the way."""
    for found in results(Record(survey), [cell(survey, *parts) for parts in tally]).questions:
        assert sum(part.n for part in found.days) == found.n
        assert sum(part.n for part in found.groups) == found.n


def test_groups_are_compared_with_intervals_that_hold_together(survey):
    """Two groups with the same reports differ by 0; far apart ones are told by the test."""
    same = results(
        Record(survey),
        [cell(survey, YES_NO, 0, NORTH, (300, 300)), cell(survey, YES_NO, 0, SOUTH, (300, 300))],
    )
    apart = results(
        Record(survey),
        [cell(survey, YES_NO, 0, NORTH, (450, 150)), cell(survey, YES_NO, 0, SOUTH, (150, 450))],
    )
    (alike,), (unlike,) = (found.question(YES_NO).comparisons for found in (same, apart))

    assert (alike.attribute, alike.answer) == ("region", "yes")
    assert (alike.overall.p_value, alike.pairs[0].difference.value) == (1.0, 0.0)
    assert unlike.pairs[0].difference.value == -1.0
    assert unlike.pairs[0].interval.high < 0
    assert unlike.overall.p_value == pytest.approx(erfc(sqrt(300 / 2)), rel=1e-6, abs=0)


def test_a_comparison_counts_the_reports_that_it_rests_on(survey):
    """Where a report asks one of two options, those that ask the option compared."""
    options = (Option("python", {"en": "Python"}), Option("rust", {"en": "Rust"}))
    uses = Question(
        "uses", "uses", {"en": "Which?"}, options,
        SampledOptions(2, most=2), Several(("python", "rust"), most=2),
    )  # fmt: skip
    asked = replace(survey, questions=(uses,))
    north, south = (100, 150, 80, 70), (120, 110, 90, 60)
    found = results(
        Record(asked), [cell(asked, "uses", 0, NORTH, north), cell(asked, "uses", 0, SOUTH, south)]
    )
    (question,) = results_to_json(found)["questions"]

    assert [pair["n"] for c in question["comparisons"] for pair in c["pairs"]] == [
        [180, 210], [220, 170]
    ]  # fmt: skip


def test_a_group_with_too_few_reports_is_compared_with_nobody(survey):
    """Under the survey's minimum a group says nothing, here neither."""
    found = results(
        Record(survey),
        [cell(survey, YES_NO, 0, NORTH, (300, 300)), cell(survey, YES_NO, 0, SOUTH, (2, 3))],
    )

    assert found.question(YES_NO).comparisons == ()


def test_intervals_may_hold_at_every_look(survey):
    """Safe to peek: wider, of their own method, the estimate the same, words within [0, 1]."""
    cells = [cell(survey, YES_NO, 0, NORTH, (740, 260))]
    once, always = (
        results(Record(survey), cells, looks=looks).question(YES_NO).estimates[0]
        for looks in ("one", "every")
    )

    assert (once.interval.method, always.interval.method) == ("score", "anytime")
    assert always.interval.low < once.interval.low < once.interval.high < always.interval.high
    assert once.value == always.value
    assert 0 == always.shown.interval.low < always.shown.interval.high < 1


@given(st.integers(0, 400), st.floats(0.5, 0.999))
def test_forged_and_denied_begin_with_the_estimate_itself(survey, yes, confidence):
    """With nobody forging or denying nothing is moved; more can only widen or raise."""
    found = results(
        Record(survey), [cell(survey, YES_NO, 0, NORTH, (400 - yes, yes))], confidence=confidence
    )
    (estimate,) = found.question(YES_NO).estimates
    widths = [f.interval.high - f.interval.low for f in estimate.forged]

    assert estimate.forged[0].interval.low == pytest.approx(estimate.interval.low)
    assert estimate.denied[0].value == estimate.value
    assert widths == sorted(widths)
