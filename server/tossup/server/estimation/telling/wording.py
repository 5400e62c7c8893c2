"""Numbers and channels as text: what results say of themselves."""

from collections.abc import Sequence
from math import floor, isfinite, log, log10
from textwrap import wrap
from typing import Final

from tossup.server.estimation.intervals.interval import Interval
from tossup.shared.mechanisms.base import Channel

WIDTH: Final = 88
_MOST_DECIMALS: Final = 15
_LARGEST_PLAIN: Final = 1e12

#: Intervals by their method's name, as a methods section says them.
INTERVALS: Final = {
    "score": "Wilson's (1927) score interval of the fraction of reports, mapped to the share",
    "exact": "Clopper and Pearson's (1934) exact interval of the fraction of reports, mapped to the"
    " share",
    "profile": "the profile-likelihood interval over shares from 0 to 1",
    "wald": "the estimate plus and minus normal quantiles of its standard error",
    "anytime": "an anytime-valid confidence sequence (Robbins 1970), which holds at every look"
    " together",
    "mover": "the MOVER interval (Zou and Donner 2008) of the intervals of both",
    "mover-score": "the MOVER interval (Newcombe 1998, method 10) of the two score intervals",
    "mover-exact": "the MOVER interval (Zou and Donner 2008) of the two exact intervals",
    "mover-wald": "the MOVER interval (Zou and Donner 2008) of the two Wald intervals",
    "fieller": "Fieller's (1954) interval of a ratio",
    "t": "the estimate plus and minus Student's quantiles of its linearized standard error",
}


def decimals(value: float, spread: float | None) -> int:
    """Return how many decimals tell a number: three digits of its spread, or four decimals.

    >>> decimals(0.3, 0.031), decimals(360.9, 88.8), decimals(0.5, None)
    (4, 1, 4)
    """
    if not spread or not isfinite(spread) or not isfinite(value):
        return 4
    return min(max(2 - floor(log10(abs(spread))), 0), _MOST_DECIMALS)


def figure(value: float, places: int) -> str:
    """Return a number with so many decimals, thousands grouped, and no negative zero.

    >>> figure(-0.00001, 3), figure(12345.6, 1)
    ('0.000', '12,345.6')
    """
    if abs(value) >= _LARGEST_PLAIN or not isfinite(value):
        return f"{value:.6g}"
    return f"{value:z,.{places}f}"


def percentage(confidence: float) -> str:
    """Return a confidence as people write it: 95 %, 99.9 %."""
    return f"{100 * confidence:.10g} %"


def probability(p: float) -> str:
    """Return a p-value as papers print it.

    >>> probability(0.0129), probability(1e-9)
    ('p = 0.013', 'p < 0.001')
    """
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def p_value(p: float) -> str:
    """Return a p-value as tables print it.

    >>> p_value(0.0129), p_value(1e-9)
    ('0.0129', '< 0.0001')
    """
    return f"{p:.4f}" if p >= 0.0001 else "< 0.0001"


def span(interval: Interval, places: int, between: str = " to ") -> str:
    """Return both ends of an interval."""
    return f"{figure(interval.low, places)}{between}{figure(interval.high, places)}"


def channel_in_words(name: str, channel: Channel) -> str:
    """Return a design with what its reports say about its answers.

    >>> from tossup.server.estimation.designs.design import two_coins
    >>> print(channel_in_words("coins/1", two_coins().rows))
    coins: Pr[report yes | no] = 1/4, Pr[report yes | yes] = 3/4; odds at most 3 (epsilon 1.0986)
    """
    if [len(row) for row in channel] == [2, 2]:
        no, yes = channel[0][1], channel[1][1]
        rates = f"Pr[report yes | no] = {no}, Pr[report yes | yes] = {yes}"
    else:
        rates = f"{len(channel)} answers, {len(channel[0])} reports"
    return f"{plain_name(name)}: {rates}; {_odds(channel)}"


def plain_name(design: str) -> str:
    """Return a design's name without the version that a mechanism's carries."""
    return design.partition("/")[0]


def _odds(channel: Channel) -> str:
    columns = [column for column in zip(*channel, strict=True) if max(column) > 0]
    if any(min(column) == 0 for column in columns):
        return "some reports prove an answer"
    odds = max(max(column) / min(column) for column in columns)
    shown = str(odds) if odds.denominator < 1000 else f"{float(odds):.4g}"
    return f"odds at most {shown} (epsilon {log(odds):.4f})"


def table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows aligned under their first one; the first column to the left."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if place == 0 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def paragraph(label: str, text: str) -> str:
    """Return a labelled paragraph, wrapped."""
    return "\n".join(wrap(f"{label}: {text}", WIDTH, subsequent_indent="  "))
