"""Sentences: an estimate in words, range first, best guess second, n last."""

from collections.abc import Callable, Iterable
from datetime import date

from tossup.server.decimals import decimals_within
from tossup.server.estimation import Interval
from tossup.server.results import AnswerEstimate, Comparison, Slice
from tossup.server.results.jumps import TIMES
from tossup.server.web.pages.words.language import gettext, ngettext
from tossup.server.web.pages.words.numbers import day as day_in_words
from tossup.server.web.pages.words.numbers import measured, number, p_value, percent, points


def in_words(estimate: AnswerEstimate) -> str:
    """Return an estimate as a sentence, with its interval and n.

    It uses the interval within [0, 1], so a negative estimate is told by its upper end.
    """
    shown = estimate.shown
    low, high = shown.interval.low, shown.interval.high
    decimals = decimals_for(high - low)
    figures = {
        "low": number(100 * low, decimals),
        "high": number(100 * high, decimals),
        "best": number(100 * shown.value, decimals),
        "n": number(estimate.n),
    }
    if low <= 0 and high >= 1:
        return gettext("Anything is possible: %(n)s reports are too few to tell.", **figures)
    if low <= 0:
        return gettext("Probably under %(high)s in 100, from %(n)s reports.", **figures)
    if high >= 1:
        return gettext("Probably over %(low)s in 100, from %(n)s reports.", **figures)
    return gettext(
        "Between %(low)s and %(high)s of 100 (best guess %(best)s), from %(n)s reports.", **figures
    )


def decimals_for(width: float) -> int:
    """Return the decimals that an interval of this width deserves.

    >>> decimals_for(0.11), decimals_for(0.03), decimals_for(0.001), decimals_for(0.00003)
    (0, 1, 2, 4)
    """
    half_points = 50 * width
    return 0 if half_points >= 2 else decimals_within(half_points / 2, digits=1)


def too_few(n: int, minimum: int) -> str:
    """Return why there is no estimate, and how far it is."""
    return gettext(
        "%(n)s of the %(minimum)s reports that an estimate needs.",
        n=number(n),
        minimum=number(minimum),
    )


def jumped(day: Slice) -> str:
    """Return that far more reports came on a day than on any day before."""
    return gettext(
        "%(n)s reports came on %(day)s, more than %(times)s times as many as on any day before.",
        n=number(day.n),
        day=day_in_words(day.day) if day.day else "",
        times=number(TIMES),
    )


def from_to(low: str, high: str) -> str:
    """Return the ends of an interval, which are written already."""
    return gettext("%(low)s to %(high)s", low=low, high=high)


def ends(interval: Interval, written: Callable[[float, float], str] = percent) -> str:
    """Return both ends of an interval, each written with the digits that its width needs."""
    return from_to(written(interval.low, interval.width), written(interval.high, interval.width))


def ends_in_points(interval: Interval) -> str:
    """Return both ends of an interval of a difference of shares, in points."""
    return ends(interval, points)


def ends_in_units(interval: Interval) -> str:
    """Return both ends of an interval of a number, in its unit."""
    return ends(interval, measured)


def possible_shares(interval: Interval) -> str:
    """Return an interval of a share, cut to what is possible, and marked so."""
    return _cut(interval, 0.0, percent)


def possible_points(interval: Interval) -> str:
    """Return an interval of a difference of shares in points, cut to what is possible."""
    return _cut(interval, -1.0, points)


def _cut(interval: Interval, low: float, written: Callable[[float, float], str]) -> str:
    shown = interval.cut(low, 1.0)
    if shown is None:
        return gettext("not possible")
    if shown == interval:
        return ends(interval, written)
    # Of the part that is left one digit is told, so that it does not look surer than it is.
    width = min(interval.width, 10 * shown.width)
    first, last = (written(end, width) for end in shown.ends)
    return gettext("%(low)s to %(high)s (cut)", low=first, high=last)


def is_cut(intervals: Iterable[Interval], low: float) -> bool:
    """Return whether any interval reaches beyond what is possible, from ``low`` to 1."""
    return any(interval.cut(low, 1.0) != interval for interval in intervals)


def compared(found: Comparison) -> str:
    """Return what the test of all groups together says."""
    return gettext(
        "If all groups had the same share, reports that differ so much would come up with"
        " probability %(p)s (%(test)s).",
        p=p_value(found.overall.p_value),
        test={
            "chi-square": gettext("chi-squared test on the reports"),
            "fisher": gettext("Fisher's exact test on the reports"),
        }[found.overall.method],
    )


def days_ago(last: date, today: date) -> str:
    """Return how long ago a day was."""
    days = (today - last).days
    if days <= 0:
        return gettext("today")
    return ngettext("%(days)s day ago", "%(days)s days ago", days, days=number(days))
