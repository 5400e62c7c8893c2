"""Sentences, numbers and days, in both languages."""

import re
from datetime import date
from fractions import Fraction

import pytest
from babel.dates import format_date
from babel.numbers import format_decimal, format_percent
from hypothesis import given
from hypothesis import strategies as st

from tossup.server.estimation import estimate_yes
from tossup.server.results import AnswerEstimate, Slice
from tossup.server.web.pages.facts import belief, facts
from tossup.server.web.pages.words import numbers
from tossup.server.web.pages.words import sentences as words
from tossup.shared.mechanisms import KaryRandomizedResponse, RandomizedResponse, TwoCoin
from tossup.shared.survey import Option, Question


def estimate(yes: int, n: int) -> AnswerEstimate:
    return AnswerEstimate("yes", estimate_yes(yes=yes, n=n, mechanism=TwoCoin()), 0.95)


def choice(*counts: int) -> Slice:
    options = tuple(Option(f"o{place}", {"en": f"{place}"}) for place in range(len(counts)))
    design = KaryRandomizedResponse(len(counts))
    return Slice(Question("q", "q", {"en": "Q?"}, options, design), counts, 1, 0.95)


@pytest.mark.parametrize(
    ("yes", "n", "sentence"),
    [
        (441, 1289, "Between 13 and 24 of 100 (best guess 18), from 1,289 reports."),
        (57, 240, "Probably under 9 in 100, from 240 reports."),
        (183, 240, "Probably over 91 in 100, from 240 reports."),
        (5, 10, "Anything is possible: 10 reports are too few to tell."),
        (40000, 100000, "Between 29.4 and 30.6 of 100 (best guess 30.0), from 100,000 reports."),
    ],
)
def test_a_headline_gives_range_then_best_guess_then_n(yes, n, sentence):
    """Negative estimates become an upper end; decimals appear only when they are known."""
    assert words.in_words(estimate(yes, n)) == sentence


def test_belief_rises_as_bayes_says():
    """From 10 in 100, at 3 to 1, to at most 25 in 100."""
    assert belief(Fraction(3)) == Fraction(1, 4)


@pytest.mark.parametrize(
    ("design", "expected"),
    [
        (TwoCoin(), ("3 to 1", "1.099", "25", "75", "25")),
        (RandomizedResponse.warner(Fraction(4, 5)), ("4 to 1", "1.387", "30.8", "80", "20")),
        (
            RandomizedResponse.forced_response(Fraction(1, 6), Fraction(1, 6)),
            ("5 to 1", "1.610", "35.7", "83.3", "16.7"),
        ),
        (RandomizedResponse(((7, 3), (3, 7))), ("7 to 3", "0.848", "20.6", "70", "30")),
    ],
)
def test_the_design_in_words_is_computed(design, expected):
    """Odds, epsilon, belief and rates follow from the channel alone."""
    found = facts(Question("q", "q", {"en": "Q?"}, (), design))

    assert (found.odds, found.epsilon, found.belief, found.named, found.named_otherwise) == expected


def test_the_design_of_a_choice_in_words_is_computed():
    """Five options at 3 to 1: three sevenths and one seventh."""
    found = facts(choice(1, 1, 1, 1, 1).question)

    assert (found.odds, found.named, found.named_otherwise) == ("3 to 1", "42.9", "14.3")


def test_odds_of_large_ratios_are_rounded_up():
    """Never less than they are."""
    assert numbers.odds_in_words(Fraction(2718281, 1000003)) == "2.72 to 1"


@pytest.mark.parametrize("language", ["en", "zh-Hans"])
@given(value=st.floats(-1e9, 1e9).map(lambda value: round(value, 3)), decimals=st.integers(0, 3))
def test_numbers_are_written_as_babel_writes_them(app_once, language, value, decimals):
    """But for the minus, which is a true one, and for minus zero, which is zero."""
    pattern = "#,##0" + ("." + "0" * decimals if decimals else "")
    expected = format_decimal(f"{value:.{decimals}f}", pattern, locale=language.replace("-", "_"))
    with app_once.test_request_context(f"/?lang={language}"):
        actual = numbers.number(value, decimals)

    assert actual.replace("−", "-") == re.sub(r"^-(?=[0.]+$)", "", expected)


@pytest.mark.parametrize("locale", ["en_GB", "zh_Hans"])
def test_percents_are_written_as_babel_writes_them(locale):
    """Both languages write the sign right behind the number."""
    assert numbers.percent(0.123) == format_percent(0.123, "#,##0.0%", locale=locale)


@pytest.mark.parametrize(("language", "locale"), [("en", "en_GB"), ("zh-Hans", "zh_Hans")])
@pytest.mark.parametrize("month", range(1, 13))
def test_days_are_written_as_babel_writes_them(app_once, language, locale, month):
    """Every month, in both languages."""
    value = date(2026, month, 2 * month)
    with app_once.test_request_context(f"/?lang={language}"):
        actual = numbers.day(value)

    assert actual == format_date(value, "long", locale=locale)
