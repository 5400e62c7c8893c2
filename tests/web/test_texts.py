"""The page of a question about a text: the texts that were found, and what may be missing."""

from dataclasses import replace
from fractions import Fraction

import pytest

from tossup.server.kernels import kernel_of
from tossup.server.tally import Cell
from tossup.server.text_designs import for_text
from tossup.shared.survey import Question, Survey
from tossup.shared.text import FreeText, characters_of

PAGE = "/surveys/marriage-1978"
TEXTS = FreeText(characters_of("a-z<>&\"'/="), 4, others=True)
DESIGN = for_text(TEXTS, None, Fraction(81))


@pytest.fixture(scope="module")
def brands(bilingual: Survey) -> Survey:
    """One text of up to 4 characters, and the public attributes of the other survey."""
    text = {"en": "Which brand?", "zh-Hans": "哪个品牌？"}
    return replace(bilingual, questions=(Question("brand", "brand", text, (), DESIGN, TEXTS),))


def cell(survey: Survey, day, truth: dict[str, int]) -> Cell:
    counts = kernel_of(DESIGN).simulate_texts({TEXTS.place(t): n for t, n in truth.items()})
    strata = tuple(0 for _ in survey.attributes)
    return Cell(survey.digest, "brand", day, strata, tuple(counts.tolist()))


def test_found_texts_are_rows_with_their_intervals(app, signed_in, brands, put, publisher_key, day):
    """Most common first, with a strip each, then how common a text must be, and the rest."""
    put(app, brands, [cell(brands, day(0), {"cola": 6000, "tea": 3000, "?": 1000})], publisher_key)
    page = signed_in.get(PAGE).text

    assert 'Most common: <bdi class="survey-text">cola</bdi>.' in page
    assert page.index(">cola</bdi></th>") < page.index(">tea</bdi></th>")
    assert ">Another text</bdi></th>" in page
    assert "3 texts were found." in page
    assert "is found with a chance of 95 in 100; rarer ones may be missing." in page
    assert "All texts that were not found: together between 0" in page
    assert "A text has 1 to 4 of the characters " in page
    assert "By group: " in page
    assert "A trend is drawn" not in page
    assert "0 intervals are shown" not in page


def test_a_text_is_no_markup(app, signed_in, brands, put, publisher_key, day):
    """Whatever characters a survey declares, its texts stand on the page as they are."""
    put(app, brands, [cell(brands, day(0), {"<b>&": 5000, "\"'/=": 5000})], publisher_key)
    page = signed_in.get(PAGE).text

    assert "&lt;b&gt;&amp;</bdi></th>" in page
    assert "&#34;&#39;/=</bdi></th>" in page
    assert "<b>" not in page


def test_no_text_may_be_common_enough(app, signed_in, brands, put, publisher_key, day):
    """A page without texts says so."""
    truth = {a + b + c: 10 for a in "abcdef" for b in "ghijk" for c in "lmnop"}
    put(app, brands, [cell(brands, day(0), truth)], publisher_key)
    page = signed_in.get(PAGE).text

    assert "No text is common enough to be found with so many reports." in page
    assert "0 texts were found." in page
    assert "By group: " not in page


def test_too_few_reports_are_counted(app, signed_in, brands, put, publisher_key, day):
    """Below the minimum there is no text."""
    put(app, brands, [cell(brands, day(0), {"cola": 99})], publisher_key)
    page = signed_in.get(PAGE).text

    assert "99 of the 100 reports that an estimate needs." in page
    assert "cola" not in page


def test_chinese_pages_show_texts_too(app, signed_in, brands, put, publisher_key, day):
    """Every word is translated."""
    put(app, brands, [cell(brands, day(0), {"cola": 6000, "?": 3000})], publisher_key)
    page = signed_in.get(f"{PAGE}?lang=zh-Hans").text

    assert "找到 2 个文字。" in page
    assert "其他文字" in page
    assert "Another text" not in page
    assert "texts" not in page.lower().replace("survey-text", "")
