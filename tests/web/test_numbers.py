"""The page of a question about a number: statistics in its own unit, on its declared range."""

import csv
import re
from dataclasses import replace
from fractions import Fraction
from io import StringIO

import pytest

from tossup.client.preview import preview
from tossup.server.estimation.designs.scores import channel_array
from tossup.server.kernels import kernel_of
from tossup.server.kernels.tossing.source import seeded
from tossup.server.store.tally import Cell
from tossup.shared.kinds.number import Grid
from tossup.shared.mechanisms import DiscreteGaussian, Duchi, TruncatedGeometric
from tossup.shared.survey import Question, Survey

PAGE = "/surveys/marriage-1978"
TEN = Grid.integers(0, 10)


@pytest.fixture(scope="module")
def hours(bilingual: Survey) -> Survey:
    """One whole number from 0 to 10, and the public attributes of the other survey."""
    design = TruncatedGeometric.for_odds(11, Fraction(9))
    text = {"en": "How many hours?", "zh-Hans": "多少小时？"}
    return replace(bilingual, questions=(Question("hours", "hours", text, (), design, TEN),))


def simulated(design, answers: list[int]) -> list[int]:
    """Return the tally of so many people with each answer: the same coins at every call."""
    with seeded(13):
        return kernel_of(design).simulate(answers).tolist()


def cell(survey: Survey, counts, day) -> Cell:
    strata = tuple(0 for _ in survey.attributes)
    return Cell(survey.digest, survey.questions[0].id, day, strata, tuple(counts))


def test_every_statistic_is_a_row_with_its_interval(app, signed_in, hours, put, publisher_key, day):
    """Mean, variance, quartiles and median; a strip for all but the variance."""
    answers = [0, 0, 1000, 3000, 3000, 2000, 1000, 0, 0, 0, 0]
    counts = simulated(hours.questions[0].mechanism, answers)
    put(app, hours, [cell(hours, counts, day(0))], publisher_key)
    page = signed_in.get(PAGE).text

    for name in ("Mean", "Variance", "Lower quartile", "Median", "Upper quartile"):
        assert f">{name}</th>" in page
    assert re.search(r"On average [\d.]+, give or take [\d.]+\.", page)
    assert "From 10,000 reports." in page
    assert "By group: " in page
    # 4 of the 5 statistics, 11 points, the mean of each attribute's one option with reports.
    assert 4 + 11 + 2 == page.count('<circle class="estimate"')
    assert "Share of every number" in page
    assert "Answers below 0 or above 10 count as these bounds" in page
    assert "A trend is drawn" not in page


def test_what_a_number_counts_stands_beside_its_average(
    app, signed_in, hours, put, publisher_key, day
):
    """In the visitor's language: at the figure, in rows, and in what is taken along."""
    unit = {"en": "hours a day", "zh-Hans": "每天小时"}
    survey = replace(hours, questions=(replace(hours.questions[0], unit=unit),), results="public")
    counts = simulated(hours.questions[0].mechanism, [300] * 11)
    put(app, survey, [cell(survey, counts, day(0))], publisher_key)
    pages = {path: signed_in.get(path).text for path in (PAGE, "/", f"{PAGE}?lang=zh-Hans")}
    figure = re.search(r'href="([^"]+\.estimates\.svg[^"]*)" download', pages[PAGE])[1]
    drawn = signed_in.get(figure).text
    (question,) = signed_in.get("/v1/surveys/marriage-1978/results").json["questions"]

    assert '<bdi class="survey-text">hours a day</bdi>, on average' in pages[PAGE]
    assert '<bdi class="survey-text">hours a day</bdi>, on average' in pages["/"]
    assert '<bdi class="survey-text">每天小时</bdi>，平均' in pages[f"{PAGE}?lang=zh-Hans"]
    assert "hours a day, on average" in drawn
    assert question["unit"] == unit
    table = signed_in.get("/v1/surveys/marriage-1978/results.csv").text
    assert {row["unit"] for row in csv.DictReader(StringIO(table))} == {"hours a day"}
    assert "(it counts hours a day)" in str(preview(survey))


def test_what_says_nothing_is_not_told_yet(app, signed_in, hours, put, publisher_key, day):
    """At odds 10 to 9 the mean alone has a value; the others are named without, everywhere."""
    design = TruncatedGeometric.for_odds(11, Fraction(10, 9))
    counts = [round(300 * chance) for chance in channel_array(design).mean(axis=0)]
    question = replace(hours.questions[0], mechanism=design)
    survey = replace(hours, questions=(question,), results="public")
    put(app, survey, [cell(survey, counts, day(0))], publisher_key)
    page = signed_in.get(PAGE).text
    (shown,) = signed_in.get("/v1/surveys/marriage-1978/results").json["questions"]
    table = signed_in.get("/v1/surveys/marriage-1978/results.csv").text

    assert ["mean"] == [line["statistic"] for line in shown["estimates"]]
    assert [] == shown["histogram"]
    assert ">Mean</th>" in page
    assert ["variance", "q1", "median", "q3"] == shown["not_told_yet"]
    assert 4 == page.count("not told yet")
    assert 4 == page.count('colspan="3" class="waiting">not told yet')
    assert ">Share of every number<" not in page
    assert ",share of" not in table
    assert {"variance", "q1", "median", "q3"} == {
        row["answer"]
        for row in csv.DictReader(StringIO(table))
        if row["not_told_yet"] == "true" and not row["value"]
    }


def test_chinese_pages_show_numbers_too(app, signed_in, hours, put, publisher_key, day):
    """Every word of the table is translated."""
    put(app, hours, [cell(hours, [200] * 11, day(0))], publisher_key)
    page = signed_in.get(f"{PAGE}?lang=zh-Hans").text

    assert "平均值" in page
    assert "中位数" in page
    assert ">Mean<" not in page


def test_too_few_reports_of_a_number_give_progress(app, signed_in, hours, put, publisher_key, day):
    """No statistic below the minimum."""
    put(app, hours, [cell(hours, [1] * 11, day(0))], publisher_key)
    page = signed_in.get(PAGE).text

    assert "reports that an estimate needs" in page
    assert "Median" not in page


def test_a_number_that_tells_nothing_leaves_the_page_up(
    app, signed_in, bilingual, hours, put, publisher_key, day
):
    """A design kept from before such were refused: its question says so, the others are shown."""
    design = TruncatedGeometric.for_odds(11, Fraction(1000001, 1000000))
    question = replace(hours.questions[0], mechanism=design)
    asked = (question, bilingual.questions[0])
    survey = replace(hours, questions=asked, results="public")
    put(app, survey, [cell(survey, [200] * 11, day(0))], publisher_key)
    page = signed_in.get(PAGE)
    results = signed_in.get("/v1/surveys/marriage-1978/results")

    assert 200 == page.status_code
    assert "Nothing can be estimated from these reports." in page.text
    assert "hard to explain" not in page.text
    assert bilingual.questions[0].text["en"] in page.text
    assert 200 == results.status_code
    assert [] == results.json["questions"][0]["estimates"]


def test_a_mean_far_out_of_bounds_raises_an_alarm(app, signed_in, hours, put, publisher_key, day):
    """All reports high cannot be chance, and no sentence states a mean then."""
    question = replace(hours.questions[0], mechanism=Duchi(11))
    survey = replace(hours, questions=(question,))
    put(app, survey, [cell(survey, (10, 990), day(0))], publisher_key)
    page = signed_in.get(PAGE).text

    assert "hard to explain by chance" in page
    assert "On average" not in page


def test_a_chance_is_said_beside_the_odds(app, signed_in, hours, put, publisher_key, day):
    """Normal noise keeps its odds but for a chance, in both languages; others say nothing of it."""
    design = DiscreteGaussian.for_odds(11, Fraction(9))
    question = replace(hours.questions[0], mechanism=design)
    counts = simulated(design, [100] * 11)
    survey = replace(hours, questions=(question,))
    put(app, survey, [cell(survey, counts, day(0))], publisher_key)
    english, chinese = (signed_in.get(f"{PAGE}?lang={tag}").text for tag in ("en", "zh-Hans"))

    assert "The noise keeps these odds but for a chance of at most 1 in 1,0" in english
    assert "分之一的可能性，报告会透露更多" in chinese


def test_no_chance_is_named_where_there_is_none(app, signed_in, hours, put, publisher_key, day):
    """The truncated geometric keeps its odds without exception."""
    put(app, hours, [cell(hours, [200] * 11, day(0))], publisher_key)

    assert "but for a chance" not in signed_in.get(PAGE).text
