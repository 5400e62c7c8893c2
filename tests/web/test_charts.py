"""Charts draw the numbers of their tables, and never too many points."""

import re
from dataclasses import replace
from datetime import date, timedelta
from random import Random

import pytest

from tossup.server.estimation.telling.strips import scale_for
from tossup.server.results import QuestionResult, Slice, results
from tossup.server.web.pages.figures.trend import MOST_MARKS, trends
from tossup.server.web.pages.figures.trend import svg as svg_of
from tossup.server.web.pages.page import question_views
from tossup.shared.mechanisms import TwoCoin
from tossup.shared.survey import Question

QUESTION = Question("q", "q", {"en": "Q?"}, (), TwoCoin())


def daily(days: int, n: int, minimum: int = 1) -> QuestionResult:
    random = Random(days)
    first = date(2026, 1, 1)
    slices = []
    for back in range(days):
        yes = sum(random.random() < 0.3 for _ in range(n))
        when = first + timedelta(back)
        slices.append(Slice(QUESTION, (n - yes, yes), minimum, 0.95, day=when))
    yes = sum(part.counts[1] for part in slices)
    total = Slice(QUESTION, (days * n - yes, yes), minimum, 0.95)
    return QuestionResult(QUESTION, (1,), total, tuple(slices), ())


def marks(trend) -> list[tuple[float, float, float]]:
    """Return the low end, the estimate and the high end of every mark, read back from the SVG."""
    svg, (low, high) = str(svg_of(trend)), (trend.scale.low, trend.scale.high)

    def share(y: str) -> float:
        return high - (float(y) - 8) / 112 * (high - low)

    ends = re.findall(r'<path d="M0 ([\d.-]+)V([\d.-]+)"', svg)
    dots = re.findall(r'<circle cy="([\d.-]+)"', svg)
    return [(share(lo), share(at), share(hi)) for (lo, hi), at in zip(ends, dots, strict=True)]


def test_a_trend_has_at_most_twelve_marks_and_counts_no_report_twice():
    """Weeks, then months, quarters, years; the reports of all marks are all reports."""
    spans = {2: "week", 30: "week", 78: "week", 90: "month", 400: "quarter", 1000: "quarter"}
    for days, period in spans.items():
        result = daily(days, 40)
        for trend in trends(result):
            assert len(trend.marks) <= MOST_MARKS, days
            assert trend.period == period, days
            assert sum(mark.n for mark in trend.marks) == result.n, days


def test_marks_draw_the_numbers_of_their_table():
    """To a tenth of a pixel: 0.1 of 112."""
    [trend] = trends(daily(30, 20))
    drawn = marks(trend)
    told = [mark.estimate for mark in trend.marks]
    within = 0.11 / 112 * (trend.scale.high - trend.scale.low)

    assert len(drawn) == len(told) > 4
    for (low, value, high), estimate in zip(drawn, told, strict=True):
        said = (estimate.interval.low, estimate.value, estimate.interval.high)
        assert (low, value, high) == pytest.approx(said, abs=within)


def test_weeks_without_reports_are_gaps_as_wide_as_they_lasted():
    """No mark stands there, and marks stand as far apart as in time."""
    whole = daily(35, 40)
    first = date(2026, 1, 1) + timedelta(7 - date(2026, 1, 1).weekday())
    gap = [
        part for part in whole.days if not first + timedelta(7) <= part.day < first + timedelta(14)
    ]
    [trend] = trends(replace(whole, days=tuple(gap)))
    days = [mark.first for mark in trend.marks]
    across = [mark.across for mark in trend.marks]
    a_day = (across[-1] - across[0]) / (days[-1] - days[0]).days

    assert first + timedelta(7) not in days
    assert [a_day * (day - days[0]).days + across[0] for day in days] == pytest.approx(
        across, abs=0.02
    )


def test_weeks_with_too_few_reports_are_empty_coins():
    """Drawn at 0, with no estimate, and counted."""
    [trend] = trends(daily(30, 10, minimum=60))

    assert [mark.n for mark in trend.too_few] == [40, 50]
    assert str(svg_of(trend)).count('class="few"') == 2
    assert trends(daily(30, 5, minimum=60)) == ()


def test_a_scale_holds_every_interval(bilingual, daily_cells):
    """Nothing is drawn outside its strip, and 0 is always there."""
    record = type("Record", (), {"survey": bilingual, "state": "open"})()
    for view in question_views(results(record, daily_cells)):
        rows = [*view.table.rows, *(r for g in view.groups for t in g.tables for r in t.rows)]

        assert view.scale.low <= 0 < view.scale.high
        for row in rows:
            assert 0 <= row.strip.low <= row.strip.value <= row.strip.high <= 100


def test_an_empty_scale_is_zero_to_one():
    """With nothing to draw."""
    scale = scale_for([])

    assert (scale.low, scale.high, scale.at(0.5)) == (0, 1, 50)
