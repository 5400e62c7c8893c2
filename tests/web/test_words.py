"""Sentences, numbers and days, in both languages."""

import re
from datetime import date
from fractions import Fraction

import pytest
from babel.dates import format_date
from babel.numbers import format_decimal, format_percent
from hypothesis import given
from hypothesis import strategies as st
from sweeps import each

from tossup.server.estimation import Interval, estimate_yes
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


def figures(written: str) -> list[float]:
    return [float(each.replace(",", "").replace("−", "-")) for each in NUMBER.findall(written)]


def test_what_is_left_of_an_impossible_interval_is_told_apart():
    """A share between 0 and 0.04 points is not between 0.0 and 0.0."""
    interval = Interval(-0.1, 0.0004, 0.95, "score")

    assert "0.00% to 0.04% (cut)" == words.possible_shares(interval)
    assert "99.0% to 100.0% (cut)" == words.possible_shares(Interval(0.99, 1.01, 0.95, "score"))


NUMBER = re.compile("−?[0-9][0-9,.]*[0-9]|[0-9]")


@each("size", range(9))
@each("value", [0.0, 0.3, 0.99997, -0.25])
def test_both_ends_of_a_narrow_interval_of_shares_are_told(value, size):
    """Of 100 million reports an interval is 0.04 points wide, which a decimal does not show."""
    interval = Interval(value - 0.031 / 10**size, value + 0.047 / 10**size, 0.95, "score")
    for write, one in ((words.ends, numbers.percent), (words.ends_in_points, numbers.points)):
        told = [*figures(write(interval)), *figures(one(value, interval.width))]

        near = [100 * each for each in (interval.low, interval.high, value)]
        assert told == pytest.approx(near, abs=max(0.0501, 5.01 * interval.width), rel=0), told
        assert told[0] < told[2] < told[1], told


@each("size", range(7))
@each("value", [0.0, 1975.3125, -20_000_004.875, 0.0000123])
def test_both_ends_of_a_narrow_interval_of_numbers_are_told(value, size):
    """A mean year of birth is 1,975.3, and not 1,975 to 1,975."""
    interval = Interval(value - 0.31 / 10**size, value + 0.47 / 10**size, 0.95, "normal")
    told = [
        *figures(words.ends_in_units(interval)),
        *figures(numbers.measured(value, interval.width)),
    ]

    near = [interval.low, interval.high, value]
    assert told == pytest.approx(near, abs=0.0501 * interval.width, rel=0), told
    assert told[0] < told[2] < told[1], told


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
