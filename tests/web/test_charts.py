"""Charts draw the numbers of their tables, and never too many points."""

import re
from datetime import date, timedelta
from random import Random

import pytest

from tossup.server.estimation.telling.strips import scale_for
from tossup.server.results import QuestionResult, Slice, results
from tossup.server.web.pages.figures.trend import MAX_POINTS, trends
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


def points(path: str) -> list[tuple[int, int]]:
    return [(int(x), int(y)) for x, y in re.findall(r"(\d+) (-?\d+)", path)]


@pytest.mark.parametrize("days", [2, 30, 120, 121, 365, 1000])
def test_a_trend_has_at_most_120_points(days):
    """Longer surveys get several days a point; the last day is always the last point."""
    [trend] = trends(daily(days, 20))

    assert 2 <= len(trend.points) <= MAX_POINTS
    assert trend.points[-1].day == date(2026, 1, 1) + timedelta(days - 1)


def test_a_line_runs_through_the_numbers_of_its_table():
    """Each corner, read back from the path, is a pooled estimate to a thousandth of the height."""
    [trend] = trends(daily(30, 20))
    height = trend.high - trend.low
    drawn = [trend.high - height * y / 1000 for _, y in points(trend.line)]

    assert pytest.approx([p.window.value for p in trend.windows], abs=height / 1000) == drawn


def test_a_band_spans_the_intervals_of_its_table():
    """Upper ends forwards, lower ends backwards."""
    [trend] = trends(daily(30, 20))
    height = trend.high - trend.low
    drawn = [trend.high - height * y / 1000 for _, y in points(trend.band)]
    intervals = [point.window.interval for point in trend.windows]
    expected = [i.high for i in intervals] + [i.low for i in reversed(intervals)]

    assert pytest.approx(expected, abs=height / 1000) == drawn


def test_pooling_uses_the_seven_days_up_to_each():
    """And fewer at the start."""
    [trend] = trends(daily(10, 20))

    assert [point.n for point in trend.points] == [20, 40, 60, 80, 100, 120, 140, 140, 140, 140]


def test_spans_with_too_few_reports_leave_a_gap():
    """Seven days of 10 reports are 70, below 75: nothing is drawn."""
    assert trends(daily(30, 10, minimum=75)) == ()


def test_single_days_below_the_minimum_are_not_drawn():
    """Only the pooled line."""
    [trend] = trends(daily(30, 20, minimum=100))

    assert (trend.singles, trend.dots) == ("", "")
    assert trend.line


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
