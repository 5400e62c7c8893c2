"""What a page says of a choice as a whole: who leads, which options differ, possible shares."""

import re
from dataclasses import replace

import pytest

from tossup.server.store.tally import Cell
from tossup.shared.kinds.ranking import Ranking
from tossup.shared.kinds.yes_no import YesNo
from tossup.shared.mechanisms import KaryRandomizedResponse, PermuteAndFlip, RankedChoice
from tossup.shared.mechanisms.scores.base import in_a_row
from tossup.shared.survey import Option, Question

PAGE = "/surveys/marriage-1978"
#: Yes/no, or the options if there are any.
NO_FIELD = YesNo()
PLACES = [("North", "北方"), ("Centre", "中部"), ("South", "南方")]
DIFFERENCES = "Which options differ from the largest?"
VIEW = "Nearest possible shares (a view, not the estimate)"


@pytest.fixture
def ask(app, signed_in, bilingual, put, publisher_key, day):
    """The function that returns the page of one question with these counts."""

    def page(mechanism, counts, domain=NO_FIELD, query=""):
        texts = [f"{n}" for n in range(len(counts))]
        names = PLACES if len(counts) == len(PLACES) else zip(texts, texts, strict=True)
        options = tuple(
            Option(f"o{place}", {"en": en, "zh-Hans": zh}) for place, (en, zh) in enumerate(names)
        )
        question = Question(
            "place", "a", {"en": "Where?", "zh-Hans": "哪里？"}, options, mechanism, domain
        )
        survey = replace(bilingual, questions=(question,))
        put(app, survey, [Cell(survey.digest, "place", day(0), (0, 0), counts)], publisher_key)
        return signed_in.get(f"{PAGE}{query}").text

    return page


def scored() -> PermuteAndFlip:
    return PermuteAndFlip(in_a_row(3), keep=3)


def rows_of(page: str, summary: str) -> list[list[str]]:
    """Return the cells' texts of the table in the part with this summary."""
    table = page.partition(f"<summary>{summary}</summary>")[2].partition("</table>")[0]
    rows = re.findall(r'<tr role="row">(.*?)</tr>', table.partition("<tbody")[2], re.DOTALL)
    cells = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in rows]
    return [[re.sub(r"<[^>]+>", "", cell).strip() for cell in row] for row in cells]


def test_of_many_options_the_ten_largest_are_shown_and_the_rest_on_demand(ask, signed_in):
    """In their order of size, with how many there are and a link to all, without a script."""
    counts = tuple(1000 + 10 * (7 * place % 40) for place in range(40))
    few = ask(KaryRandomizedResponse(40), counts)
    every = signed_in.get(f"{PAGE}?show=all").text
    links = re.findall(r'href="([^"]*show=all[^"]*)"', few)

    assert "The ten largest of 40 estimates" in few
    assert "The ten largest" not in every
    assert f"{PAGE}?show=all" in links
    tables = [page.partition("</table>")[0].count('scope="row"') for page in (few, every)]
    assert [10, 40] == tables


def test_the_most_likely_choice_is_named(ask):
    """A choice by score whose reports tell the largest share, with its range and reports."""
    page = ask(scored(), (7000, 2000, 1000))

    assert re.search(r"Most likely choice: <bdi[^>]*>North</bdi>\.", page)
    assert re.search(r'"rng">[\d.]+–[\d.]+<.*From 10,000 reports', page, re.DOTALL)
    assert "Not told apart" not in page


def test_what_the_reports_cannot_tell_is_said(ask):
    """By name, and that it is the difference whose interval holds 0."""
    page = ask(scored(), (350, 330, 320))

    assert "Too close to tell: three answers may lead." in page
    assert re.search(
        r"Not told apart from <bdi[^>]*>\w+</bdi>, <bdi[^>]*>\w+</bdi>: the interval of the"
        r" difference holds 0\.",
        page,
    )


def test_an_order_names_what_its_winner_is_not_told_apart_from(ask):
    """Mean points of a preference order: the runner-up is named, the last is not."""
    page = ask(RankedChoice((6, 4, 2)), (420, 400, 180), Ranking(("o0", "o1", "o2")))

    assert "Too close to tell: two answers may lead." in page
    assert re.search(r"Not told apart from <bdi[^>]*>Centre</bdi>: the interval", page)


def test_every_option_is_compared_with_the_largest(ask):
    """Difference, interval and reports; the runner-up first, and where the covariance is."""
    page = ask(KaryRandomizedResponse(3), (500, 200, 300))
    rows = rows_of(page, DIFFERENCES)

    assert [row[0] for row in rows] == ["North less South", "North less Centre"]
    assert [row[1] for row in rows] == ["50.0", "75.0"]
    assert all(re.fullmatch(r"[\d.]+ to [\d.]+", row[2]) for row in rows)
    assert [row[3] for row in rows] == ["1,000", "1,000"]
    assert "the JSON download has the covariance of all estimates" in page


def test_many_options_are_named_in_part_and_not_listed(ask):
    """70 options that are all alike: five are named, the rest counted; no table of differences."""
    page = ask(KaryRandomizedResponse(70), (20,) * 70)

    assert "and 64 more: the interval" in page
    assert DIFFERENCES not in page


def test_possible_shares_are_a_view_beside_the_estimates(ask):
    """Negative estimates stay in the table; the view has their intervals and n, and says why."""
    page = ask(KaryRandomizedResponse(3), (450, 370, 180))
    first_table = page.partition("<table")[2].partition("</table>")[0]
    rows = rows_of(page, VIEW)

    assert "−5.0%" in first_table
    assert [row[1] for row in rows] == ["60.0%", "40.0%", "0.0%"]
    assert [row[2] for row in rows] == re.findall(r"[−\d.]+% to [−\d.]+%", first_table)
    assert "They are biased, most of all where shares are near 0" in page


def test_possible_estimates_have_no_view(ask):
    """Where the raw shares are possible, the view would only repeat them."""
    assert VIEW not in ask(KaryRandomizedResponse(3), (500, 300, 200))


def test_differences_are_safe_to_peek_at_where_all_intervals_are(ask, signed_in):
    """The same differences, with intervals that hold at every look, and are wider."""
    once = rows_of(ask(KaryRandomizedResponse(3), (500, 200, 300)), DIFFERENCES)[1]
    every = rows_of(signed_in.get(f"{PAGE}?looks=every").text, DIFFERENCES)[1]

    assert once[1] == every[1]
    assert float(every[2].split()[0].replace("−", "-")) < float(once[2].split()[0])


def test_chinese_pages_say_it_too(ask):
    """Headline, what is not told apart, differences and the view."""
    page = ask(KaryRandomizedResponse(3), (415, 405, 180), query="?lang=zh-Hans")

    assert re.search(r"与<bdi[^>]*>中部</bdi>分不出高下", page)
    assert "哪些选项与最大者有差别？" in page
    assert "最接近的可能比例（仅供查看，不是估计值）" in page
