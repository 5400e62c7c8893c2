"""The page of a question about a vector: components on their range, and covariances."""

import re
from dataclasses import replace
from fractions import Fraction

import pytest

from tossup.server.estimation import estimate_vector
from tossup.server.kernels.tossing.source import coins, seeded
from tossup.server.kernels.vectors import VectorKernel
from tossup.server.store.tally import Cell
from tossup.shared.kinds.vector import VectorAnswer
from tossup.shared.mechanisms import VectorLaplace
from tossup.shared.survey import Option, Question, Survey

PAGE = "/surveys/marriage-1978"


def asked(bilingual: Survey, *, moments: bool) -> Survey:
    """One vector of two components, and the public attributes of the other survey."""
    domain = VectorAnswer(("east", "north"), Fraction(4), Fraction(1, 4), moments)
    design = VectorLaplace(domain.entries, 16, 300, 81, 1)
    text = {"en": "How far?", "zh-Hans": "多远？"}
    options = (
        Option("east", {"en": "East", "zh-Hans": "东"}),
        Option("north", {"en": "North", "zh-Hans": "北"}),
    )
    question = Question("moves", "moves", text, options, design, domain)
    return replace(bilingual, questions=(question,))


def cell(survey: Survey, answers, day) -> Cell:
    """Return the tally of people with these answers: the same coins at every call."""
    (question,) = survey.questions
    places = [question.place(answer) for answer in answers]
    with seeded(13):
        indexes = [question.domain.index(place, question.mechanism, coins()) for place in places]
        counts = tuple(VectorKernel(question.mechanism).toss(indexes).tolist())
    return Cell(survey.digest, question.id, day, tuple(0 for _ in survey.attributes), counts)


@pytest.fixture(params=[False, True], ids=["vector", "moments"])
def vectors(request, bilingual: Survey) -> Survey:
    return asked(bilingual, moments=request.param)


def test_every_component_is_a_row(app, signed_in, vectors, put, publisher_key, day):
    """Two components, with a strip from minus the norm to the norm; means by group."""
    put(app, vectors, [cell(vectors, [(1, 2)] * 2000, day(0))], publisher_key)
    page = signed_in.get(PAGE).text

    for name in ("East", "North"):
        assert re.search(rf"<th[^>]*>(<[^>]*>)?{name}<", page)
    assert "Averages of 2 components, from 2,000 reports." in page
    assert "By group: " in page
    assert 2 + 2 * 2 == page.count('<circle class="estimate"')
    assert "Answers longer than 4 count as that long" in page
    assert "A trend is drawn" not in page
    assert vectors.questions[0].domain.moments == ("North × East" in page)


def test_an_impossible_covariance_has_the_nearest_one_beside_it(
    app, signed_in, bilingual, put, publisher_key, day
):
    """Few reports of equal answers: the raw matrix stands, and the view says what it is."""
    survey = replace(asked(bilingual, moments=True), minimum_batch=50)
    found = cell(survey, [(0, 0)] * 60, day(0))
    (question,) = survey.questions
    raw = estimate_vector(found.counts, question.mechanism, question.domain).covariance
    put(app, survey, [found], publisher_key)
    page = signed_in.get(PAGE).text

    assert not raw.is_possible
    assert "The nearest possible covariance" in page
    assert "a view for reading, not an estimate" in page


def test_chinese_pages_show_vectors_too(app, signed_in, vectors, put, publisher_key, day):
    """Every word of the tables is translated."""
    put(app, vectors, [cell(vectors, [(1, 2)] * 1000, day(0))], publisher_key)
    page = signed_in.get(f"{PAGE}?lang=zh-Hans").text

    assert "每个分量的平均值" in page
    assert "东" in page
    assert ">Component<" not in page


def test_too_few_reports_of_a_vector_give_progress(
    app, signed_in, vectors, put, publisher_key, day
):
    """No mean below the minimum."""
    put(app, vectors, [cell(vectors, [(1, 2)] * 3, day(0))], publisher_key)
    page = signed_in.get(PAGE).text

    assert "reports that an estimate needs" in page
    assert "Averages of" not in page


def test_means_beyond_the_norm_raise_an_alarm(app, signed_in, bilingual, put, publisher_key, day):
    """All reports at the edge of what can be sent cannot be chance."""
    survey = asked(bilingual, moments=False)
    digits = (600, 300)
    products = (digits[0] ** 2, digits[1] ** 2, digits[0] * digits[1])
    counts = tuple(1000 * total for total in (*digits, *products, 1))
    found = Cell(survey.digest, "moves", day(0), (0,) * len(survey.attributes), counts)
    put(app, survey, [found], publisher_key)
    page = signed_in.get(PAGE).text

    assert "hard to explain by chance" in page
    assert "Averages of" not in page
