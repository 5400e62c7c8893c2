"""Results as HTML and SVG for notebooks, drawn with the strips of pages."""

from collections.abc import Mapping, Sequence
from typing import Final

from markupsafe import Markup, escape

from tossup.server.estimation.telling.line import Line
from tossup.server.estimation.telling.strips import axis, drawn, scale_for, strip
from tossup.server.estimation.telling.wording import figure, percentage, span

#: What the strip's classes look like where the dashboard's style sheet is not loaded.
_STYLE: Final = Markup(
    "<style>.tossup-result caption,.tossup-result td:first-child{text-align:left}"
    ".tossup-result th,.tossup-result td{text-align:right;padding:0 .6em}"
    ".tossup-result .strip{overflow:visible;min-width:12em;color:inherit}"
    ".tossup-result .strip .grid{stroke:#8886}.tossup-result .strip .zero{stroke:#888}"
    ".tossup-result .strip .outside{fill:#8882}"
    ".tossup-result .strip .interval{stroke:#06c;stroke-width:3;stroke-linecap:round}"
    ".tossup-result .strip .half{stroke:#06c8;stroke-width:8}"
    ".tossup-result .strip .estimate{fill:#06c;stroke:#fff;stroke-width:2}"
    ".tossup-result .strip text{font-size:10px;fill:currentColor}</style>"
)


def html(title: str, lines: Sequence[Line], facts: Mapping[str, str], n: int | None) -> str:
    """Return a table with a strip for each share."""
    strips = _strips(lines)
    head = _row(["", "value", _head(lines), "n", strips[0] if strips else ""], head=True)
    body = [
        _row([line.name, figure(line.value, line.places), _interval(line), _size(line, n), drawn])
        for line, drawn in zip(lines, strips[1:] if strips else [""] * len(lines), strict=True)
    ]
    notes = Markup("").join(
        Markup("<br>{}: {}").format(label, text) for label, text in facts.items() if text
    )
    table = Markup("<table><caption>{}</caption>{}{}</table>").format(
        title, head, Markup("").join(body)
    )
    page = Markup('<div class="tossup-result">{}{}<small>{}</small></div>')
    return str(page.format(_STYLE, table, notes))


def svg(lines: Sequence[Line]) -> str:
    """Return the strips of all shares below each other."""
    shares = [line for line in lines if line.is_share and line.interval]
    strips = _strips(shares) or []
    height = 24 * len(strips)
    inner = "".join(
        f'<svg y="{24 * place}" width="480" height="24" class="tossup-result">{drawn}</svg>'
        for place, drawn in enumerate(strips)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="480" height="{height}" role="img"'
        f' aria-label="{escape(_told(shares))}">{_STYLE}{inner}</svg>'
    )


def _told(lines: Sequence[Line]) -> str:
    return "; ".join(f"{line.name} {figure(line.value, line.places)}" for line in lines)


def _row(texts: Sequence[str], *, head: bool = False) -> Markup:
    cell = Markup("<th>{}</th>") if head else Markup("<td>{}</td>")
    return Markup("<tr>{}</tr>").format(Markup("").join(map(cell.format, texts)))


def _head(lines: Sequence[Line]) -> str:
    shown = next((line.interval for line in lines if line.interval), None)
    return f"{percentage(shown.confidence)} interval" if shown else "std. error"


def _size(line: Line, n: int | None) -> str:
    size = line.n or n
    return "" if size is None else f"{size:,}"


def _interval(line: Line) -> str:
    if line.interval is not None:
        return span(line.interval, line.places)
    return "" if line.stderr is None else figure(line.stderr, line.places)


def _strips(lines: Sequence[Line]) -> list[Markup] | None:
    """Return the axis, then a strip a line; None unless all lines are shares."""
    if not lines or not all(line.is_share and line.interval for line in lines):
        return None
    scale = scale_for(lines)  # type: ignore[arg-type]  # each has an interval
    return [axis(scale), *(drawn(strip(line, scale), scale) for line in lines)]  # type: ignore[arg-type]
