"""A figure as a file that stands alone: the drawings of a page with their numbers, n and source.

A page's drawings take their looks from its stylesheet; in a file these are attributes, and colours
are those of the light theme. No figure is without its intervals and n.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final
from unicodedata import east_asian_width

from markupsafe import Markup

from tossup.server.estimation.telling.strips import Scale, Strip, axis, drawn

#: The light theme of tokens.css; a test holds them to it.
COLOURS: Final = {
    "paper": "#fffefb",
    "ink": "#18222c",
    "muted": "#565d64",
    "data": "#0f4c75",
    "mid": "#5b8db1",
    "ring": "#91887a",
    "rule": "#ddd5c5",
    "edge": "#877f71",
    "coin-edge": "#8a5e00",
    "out": "#f2ecdf",
}
_WIDE: Final = 900
_SIDE: Final = 24
_ROW: Final = 34
_FONT: Final = Markup(
    'font-family="Inter, Segoe UI, Roboto, Noto Sans, PingFang SC, Microsoft YaHei,'
    ' Noto Sans CJK SC, sans-serif"'
)


def _looks() -> dict[str, str]:
    c = COLOURS
    stroke = 'fill="none" stroke-linecap="round"'
    return {
        "interval": f'stroke="{c["data"]}" stroke-width="3"',
        "half": f'stroke="{c["mid"]}" stroke-width="8"',
        "estimate": f'fill="{c["data"]}" stroke="{c["paper"]}" stroke-width="1.5"',
        "few": f'fill="{c["paper"]}" stroke="{c["ring"]}" stroke-width="2"',
        "grid": f'stroke="{c["rule"]}" stroke-width="1"',
        "zero": f'stroke="{c["edge"]}" stroke-width="1.5"',
        "outside": f'fill="{c["out"]}"',
        "c-ring": f'stroke="{c["ring"]}" stroke-width="16" {stroke}',
        "c-hole": f'stroke="{c["paper"]}" stroke-width="13.6" {stroke}',
        "c-full": f'stroke="{c["data"]}" stroke-width="12" {stroke}',
        "c-part": f'fill="{c["data"]}"',
        "grid-of-coins": 'overflow="visible"',
        "row-of-coins": f'fill="{c["ink"]}" font-size="14" font-weight="600"',
        "g-rim": f'fill="none" stroke="{c["ring"]}" stroke-width="1.5"',
        "g-none": f'fill="none" stroke="{c["ring"]}" stroke-width="1.5" stroke-dasharray="3 3"',
        "g-high": f'fill="{c["mid"]}" fill-opacity=".4"',
        "g-low": f'fill="{c["data"]}"',
        "g-value": f'fill="none" stroke="{c["coin-edge"]}" stroke-width="2"',
        "heat": f'fill="{c["data"]}"',
    }


@dataclass(frozen=True, slots=True)
class DrawnLine:
    """A row of a figure: what it is of, where it lies, and its numbers as texts."""

    label: str
    strip: Strip | None
    value: str
    interval: str
    n: str


class Canvas:
    """A figure that grows downwards, part by part."""

    def __init__(self) -> None:
        self._parts: list[Markup] = []
        self._y = _SIDE

    def text(self, words: str, size: int = 14, colour: str = "ink", *, bold: bool = False) -> None:
        """Write words, over as many lines as they need."""
        for line in wrapped(words, round(1.75 * (_WIDE - 2 * _SIDE) / size)):
            self._y += round(1.4 * size)
            self._write(_SIDE, self._y, line, size, colour, bold=bold)

    def gap(self, height: int = 12) -> None:
        """Leave some room."""
        self._y += height

    def picture(self, svg: Markup, height: int) -> None:
        """Draw a page's SVG over the whole width."""
        place = Markup('<svg x="{}" y="{}" width="{}" height="{}">{}</svg>')
        wide = _WIDE - 2 * _SIDE
        self._parts.append(place.format(_SIDE, self._y, wide, height, svg))
        self._y += height

    def rows(
        self,
        lines: Iterable[DrawnLine],
        scale: Scale,
        labels: Sequence[tuple[float, object]],
        heads: tuple[str, str, str],
    ) -> None:
        """Draw rows, each a strip with its numbers, under an axis."""
        columns = ((650, heads[0]), (800, heads[1]), (_WIDE - _SIDE, heads[2]))
        self._y += 18
        self._at(axis(scale, labels), 300, self._y - 14, 280, 16)
        for x, head in columns:
            self._write(x, self._y, head, 12, "muted", anchor="end")
        for line in lines:
            said = wrapped(line.label, 34)[:2]
            for place, words in enumerate(said):
                middle = 20 if len(said) == 1 else 13 + 15 * place
                self._write(_SIDE, self._y + middle, words, 14, "ink")
            if line.strip:
                self._at(drawn(line.strip, scale), 300, self._y + 4, 280, 24)
            numbers = (line.value, line.interval, line.n)
            for (x, _), words in zip(columns, numbers, strict=True):
                self._write(x, self._y + 20, words, 14, "ink", anchor="end")
            self._y += _ROW

    def svg(self, title: str) -> Markup:
        """Return the figure."""
        tall = self._y + _SIDE
        inside = Markup("").join(self._parts)
        return Markup(
            '<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}"'
            ' viewBox="0 0 {w} {h}" {font} role="img"><title>{title}</title>'
            '<rect width="{w}" height="{h}" fill="{paper}"/>{inside}</svg>\n'
        ).format(
            w=_WIDE,
            h=tall,
            font=_FONT,
            title=title,
            paper=COLOURS["paper"],
            inside=standing_alone(inside),
        )

    def _at(self, svg: Markup, x: int, y: int, wide: int, tall: int) -> None:
        place = Markup('<svg x="{}" y="{}" width="{}" height="{}" overflow="visible">{}</svg>')
        self._parts.append(place.format(x, y, wide, tall, svg))

    def _write(
        self,
        x: int,
        y: int,
        words: str,
        size: int,
        colour: str,
        *,
        anchor: str = "start",
        bold: bool = False,
    ) -> None:
        text = Markup('<text x="{}" y="{}" font-size="{}" fill="{}" text-anchor="{}"{}>{}</text>')
        weight = Markup(' font-weight="700"') if bold else ""
        self._parts.append(text.format(x, y, size, COLOURS[colour], anchor, weight, words))


def standing_alone(svg: Markup) -> Markup:
    """Return drawings with attributes in the place of classes, and without what only pages need."""
    looks = _looks()
    alone = re.sub(r' class="([\w-]+)[^"]*"', lambda m: _attributes(looks.get(m[1], "")), str(svg))
    alone = alone.replace(' aria-hidden="true"', "")
    # Marks over time, and texts of strips and axes, have no attributes of their own on a page.
    alone = alone.replace('<path d="', f'<path {looks["interval"]} d="')
    alone = alone.replace('<circle cy="', f'<circle {looks["estimate"]} cy="')
    alone = re.sub(r'<svg x="([\d.]+)%"', r'<svg overflow="visible" x="\1%"', alone)
    own = f'<text font-size="12" fill="{COLOURS["muted"]}" x="\\1%"'
    return Markup(re.sub(r'<text x="([\d.-]+)%"', own, alone))  # noqa: S704 - escaped before


def _attributes(look: str) -> str:
    return f" {look}" if look else ""


def wrapped(words: str, columns: int) -> list[str]:
    """Return words in lines of so many columns; wide characters take two, and may end a line.

    >>> wrapped("one two three", 8), wrapped("一二三四五", 6)
    (['one two', 'three'], ['一二三', '四五'])
    """
    lines, line = [], ""
    for piece in _pieces(words):
        if line and _width(line + piece.rstrip()) > columns:
            lines.append(line.rstrip())
            line = ""
        line += piece
    return [*lines, line.rstrip()]


def _pieces(words: str) -> Iterator[str]:
    """Yield what may not be parted: a wide character, or what stands up to a space."""
    for word in re.findall(r"\S+\s*", words):
        start = 0
        for place, character in enumerate(word):
            if _is_wide(character):
                yield from (piece for piece in (word[start:place], character) if piece)
                start = place + 1
        if word[start:]:
            yield word[start:]


def _width(text: str) -> int:
    return sum(2 if _is_wide(character) else 1 for character in text)


def _is_wide(character: str) -> bool:
    return east_asian_width(character) in "WF"
