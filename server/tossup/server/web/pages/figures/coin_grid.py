"""Two questions as a grid of coins: of those with one answer, how many give the other.

A coin's rim is everyone with the answer of its row. By area, it is full as far as the interval
begins, faint as far as it ends, and a line is the best guess. A coin that reports do not tell is
empty.
"""

from collections.abc import Sequence
from math import sqrt
from typing import Final

from markupsafe import Markup

from tossup.server.estimation import Interval
from tossup.server.shortening import shortened

#: Columns of at most so many coins are as wide as these coins need, in pixels; more share a width.
_FEW: Final = 5
_WIDE: Final = 56
_LABEL: Final = 18
_LONGEST: Final = 40
#: A column's own label may be so wide, in half the width of a Chinese character.
_NARROW: Final = 8

#: A coin's value and interval; None where reports do not tell them.
Coin = tuple[float, Interval] | None


def is_narrow(label: str) -> bool:
    """Return whether a label fits above a column of coins."""
    return sum(2 if ord(character) > 0x2E7F else 1 for character in label) <= _NARROW


def height(rows: int, columns: int) -> int:
    """Return how tall a grid of so many rows is, in pixels."""
    return _LABEL + rows * (_LABEL + 2 * _radius(columns) + 8)


def drawn(title: str, rows: Sequence[tuple[str, Sequence[Coin]]], heads: Sequence[str]) -> Markup:
    """Return a grid as SVG; the tables beside it say the same in numbers.

    Parameters
    ----------
    title
        What it shows.
    rows
        The label of every answer to the first question, and a coin an answer to the second.
    heads
        What stands above the columns.
    """
    columns, radius = len(heads), _radius(len(heads))
    width = f"{_WIDE * columns}" if columns <= _FEW else "100%"
    across = [round(100 * (at + 0.5) / columns, 2) for at in range(columns)]
    top = Markup("").join(
        Markup('<text x="{}%" y="12" text-anchor="middle">{}</text>').format(x, head)
        for x, head in zip(across, heads, strict=True)
    )
    body = Markup("").join(
        _row(label, coins, across, height(at, columns), radius)
        for at, (label, coins) in enumerate(rows)
    )
    return Markup(
        '<svg class="grid-of-coins" role="img" width="{}" height="{}"><title>{}</title>{}</svg>'
    ).format(width, height(len(rows), columns), title, top + body)


def _row(
    label: str, coins: Sequence[Coin], across: Sequence[float], down: float, radius: int
) -> Markup:
    cut = shortened(label, _LONGEST)
    head = Markup('<text class="row-of-coins" x="0" y="{}">{}</text>').format(down + 13, cut)
    middle = down + _LABEL + radius + 1
    return head + Markup("").join(
        _coin(coin, x, middle, radius) for coin, x in zip(coins, across, strict=True)
    )


def _coin(coin: Coin, x: float, y: float, radius: int) -> Markup:
    circle = Markup('<circle class="{}" cx="{}%" cy="{}" r="{}"/>')
    if coin is None:
        return circle.format("g-none", x, y, radius)
    value, interval = coin
    parts = (("g-high", interval.high), ("g-low", interval.low), ("g-value", value))
    return circle.format("g-rim", x, y, radius) + Markup("").join(
        circle.format(look, x, y, round(radius * sqrt(min(max(share, 0.0), 1.0)), 2))
        for look, share in parts
    )


def _radius(columns: int) -> int:
    return 20 if columns <= _FEW else 14 if columns <= 9 else 8
