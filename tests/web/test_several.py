"""The page of a question with several answers: options by themselves, groups, days and alarm."""

import re
from dataclasses import replace
from fractions import Fraction

import pytest

from tossup.server.store.tally import Cell
from tossup.shared.kinds.several import Several
from tossup.shared.mechanisms import SampledOptions
from tossup.shared.survey import Option, Question, Survey

PAGE = "/surveys/marriage-1978"
NAMES = [("Cooking", "做饭"), ("Cleaning", "打扫"), ("Shopping", "购物"), ("Driving", "开车")]
SHARES = [Fraction(9, 10), Fraction(1, 2), Fraction(1, 2), Fraction(0)]


@pytest.fixture(scope="module")
def chores(bilingual: Survey) -> Survey:
    """At most two of four chores, one of them asked, and the public attributes of the other."""
    options = tuple(Option(en.lower(), {"en": en, "zh-Hans": zh}) for en, zh in NAMES)
    text = {"en": "What do you do at home?", "zh-Hans": "您在家做什么？"}
    domain = Several(tuple(option.id for option in options), most=2)
    asked = Question("chores", "chores", text, options, SampledOptions(4, 2), domain)
    return replace(bilingual, questions=(asked,))


def cells(survey: Survey, days, n: int) -> list[Cell]:
    """Days on which n reports from each region ask each option, and say what is expected."""
    ticked = [round(n * (1 + 2 * share) / 4) for share in SHARES]
    counts = (*(n - count for count in ticked), *ticked)
    return [
        Cell(survey.digest, "chores", day, (region, 0), counts) for day in days for region in (0, 1)
    ]


def test_every_option_has_a_row_with_its_own_reports(
    app, signed_in, chores, put, publisher_key, day
):
    """Four options, each asked of a quarter of the reports; the limit is said."""
    put(app, chores, cells(chores, [day(0)], 500), publisher_key)
    page = signed_in.get(PAGE).text
    table = page.partition("<table")[2].partition("</table>")[0]
    own = re.findall(r'n">([\d,]+)<', table)

    assert ["1,000"] * 4 == own
    assert all(en in table for en, _ in NAMES)
    assert "Each person may tick up to 2:" in page
    assert "Most common: " in page
    assert "A report asks 1 of the 4 options" in page


def test_groups_and_days_show_each_option(app, signed_in, chores, put, publisher_key, day):
    """Thirty days and two regions: tables by group, a trend an option, comparisons."""
    put(app, chores, cells(chores, [day(back) for back in range(30)], 25), publisher_key)
    page = signed_in.get(PAGE).text

    assert "By group: " in page
    assert "Did it change?" in page
    assert 4 == page.count("Each mark is one week")


def test_days_on_which_nobody_was_asked_an_option_are_drawn(
    app, signed_in, chores, put, publisher_key, day
):
    """Single days without one option: its trend has gaps, and the others their own estimates."""
    survey = replace(chores, minimum_batch=1)
    put(
        app,
        survey,
        [
            Cell(survey.digest, "chores", day(back), (0, 0), (3, 3, 3 * (back % 2), 0, 6, 3, 0, 0))
            for back in range(40)
        ],
        publisher_key,
    )

    assert 200 == signed_in.get(PAGE).status_code


def test_one_option_asked_too_often_raises_an_alarm(
    app, signed_in, chores, put, publisher_key, day
):
    """Half of the reports ask the first of four options: no device draws so."""
    counts = (300, 100, 100, 100, 300, 100, 100, 100)
    put(app, chores, [Cell(chores.digest, "chores", day(0), (0, 0), counts)], publisher_key)

    assert "hard to explain by chance" in signed_in.get(PAGE).text


def test_chinese_pages_show_several_options_too(app, signed_in, chores, put, publisher_key, day):
    """Labels and notes are in the visitor's language."""
    put(app, chores, cells(chores, [day(0)], 125), publisher_key)
    page = signed_in.get(f"{PAGE}?lang=zh-Hans").text

    assert "做饭" in page
    assert "每人最多可选 2 项" in page
    assert "一份报告只问 4 个选项中的 1 个" in page
