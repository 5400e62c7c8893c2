"""The page of a question about a text: the texts that were found, and what may be missing."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import count

import numpy as np
import pytest
from answering import on_that_day

from tossup.server.config import Config
from tossup.server.kernels import kernel_of
from tossup.server.kinds.choosing.text import for_text
from tossup.server.store.tally import Cell
from tossup.shared.kinds.text import FreeText, characters_of
from tossup.shared.survey import Question, Survey

TEXTS = FreeText(characters_of("a-z<>&\"'/="), 4, others=True)
DESIGN = for_text(TEXTS, None, Fraction(81))
M = 10**6

pytestmark = pytest.mark.usefixtures("made_here")


@pytest.fixture(scope="module")
def brands(bilingual: Survey) -> Survey:
    """One text of up to 4 characters, and the public attributes of the other survey."""
    text = {"en": "Which brand?", "zh-Hans": "哪个品牌？"}
    return replace(bilingual, questions=(Question("brand", "brand", text, (), DESIGN, TEXTS),))


def tally(truth: dict[str, int]) -> tuple[int, ...]:
    """What the coins give on average, in every slot: no text is found by chance here."""
    oracle, kernel = DESIGN.oracle, kernel_of(DESIGN).oracle
    weights = np.full((DESIGN.slots, oracle.reports), float(oracle.lie * sum(truth.values())))
    for text, n in truth.items():
        for slot in range(DESIGN.slots):
            bucket = DESIGN.bucket(TEXTS.place(text), *divmod(slot, DESIGN.rows))
            weights[slot, kernel.members[bucket]] += n * (oracle.keep - oracle.lie)
    counts = np.round(weights / weights.sum() * sum(truth.values()))
    return tuple(counts.astype(int).ravel().tolist())


Page = Callable[..., str]


@pytest.fixture(scope="module")
def page_of(tmp_path_factory, brands: Survey, put, enter, publisher_key, day) -> Iterator[Page]:
    """Return the page of a survey with this tally; all surveys are on one application."""
    app, ids = on_that_day(Config(data=tmp_path_factory.mktemp("texts"))), count()
    browser = enter(app)

    def page(counts: tuple[int, ...], language: str = "en") -> str:
        survey = replace(brands, id=f"brands-{next(ids)}")
        strata = tuple(0 for _ in survey.attributes)
        cells = [Cell(survey.digest, "brand", day(0), strata, counts)]
        put(app, survey, cells, publisher_key)
        return browser.get(f"/surveys/{survey.id}?lang={language}").text

    yield page
    app.extensions["tossup"].close()


def test_found_texts_are_rows_with_their_intervals(page_of: Page):
    """Most common first, with a strip each, then how common a text must be, and the rest."""
    page = page_of(tally({"cola": 6 * M, "tea": 3 * M, "?": M}))

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


def test_a_text_is_no_markup(page_of: Page):
    """Whatever characters a survey declares, its texts stand on the page as they are."""
    page = page_of(tally({"<b>&": 5 * M, "\"'/=": 5 * M}))

    assert "&lt;b&gt;&amp;</bdi></th>" in page
    assert "&#34;&#39;/=</bdi></th>" in page
    assert "<b>" not in page


def test_no_text_may_be_common_enough(page_of: Page):
    """A page without texts says so."""
    page = page_of((1,) * DESIGN.counters)

    assert "No text is common enough to be found with so many reports." in page
    assert "0 texts were found." in page
    assert "By group: " not in page


def test_too_few_reports_are_counted(page_of: Page):
    """Below the minimum there is no text; reports that only find texts are not counted to it."""
    last = DESIGN.rows * DESIGN.slot_counters
    found, told = (99, *(DESIGN.counters - last - 1) * (0,)), (98, *(last - 1) * (0,))
    page = page_of(found + told)

    assert "98 of the 100 reports that an estimate needs." in page
    assert "texts were found" not in page


def test_chinese_pages_show_texts_too(page_of: Page):
    """Every word is translated."""
    page = page_of(tally({"cola": 6 * M, "?": 3 * M}), "zh-Hans")

    assert "找到 2 个文字。" in page
    assert "其他文字" in page
    assert "Another text" not in page
    assert "texts" not in page.lower().replace("survey-text", "")
