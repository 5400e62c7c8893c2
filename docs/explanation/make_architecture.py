"""Draw the rooms of this repository and the road of one answer through them, as SVG.

``make fix`` writes it to docs/explanation/architecture.svg; a test fails when the two differ.
"""

from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Final, NamedTuple

TARGET = Path(__file__).with_name("architecture.svg")

WIDTH: Final = 480
_LEFT, _ROAD, _GAP, _SHARED = 14, 286, 14, 152  # margin, box on the road, gap, box beside it
_HEIGHT, _STEP, _FIRST, _LINE = 64, 82, 23, 18  # box, box with arrow, first line, each line
_ROOM_FOR_WORDS: Final = 26  # beside an arrow of which something is said


class Stop(NamedTuple):
    """A stop on the road.

    Attributes
    ----------
    side
        Where it is: ``device`` or ``server``.
    name, what
        What an answer is there, and in which form.
    rooms
        What does the work: modules of `tossup.client` on the device, else of `tossup.server`.
    shared
        What of `tossup.shared` they ask, by themselves or through its `survey`.
    """

    side: str
    name: str
    what: str
    rooms: tuple[str, ...]
    shared: tuple[str, ...]


ROAD: Final = (
    Stop(
        "server",
        "manifest",
        "questions and their coins, signed",
        ("surveys", "kinds"),
        ("survey", "signing"),
    ),
    Stop("device", "answer", "what is true: yes", ("sdk", "device"), ("survey", "kinds")),
    Stop(
        "device",
        "coins → report",
        "yes or no, as the coins say",
        ("answering", "asking"),
        ("coins", "survey", "mechanisms"),
    ),
    Stop("device", "outbox", "a row, written once", ("store",), ("strict_json",)),
    Stop("device", "upload", "packed columns of reports", ("upload",), ("wire",)),
    Stop("server", "ingest", "arrays, each report once", ("ingest", "kernels"), ("wire", "survey")),
    Stop("server", "tally", "counters by day and group", ("store",), ()),
    Stop(
        "server",
        "estimate",
        "a share, its interval and its n",
        ("kinds", "estimation", "results"),
        ("mechanisms", "survey"),
    ),
    Stop("server", "page", "sentences, tables, JSON, CSV", ("web", "cli"), ("survey", "wire")),
)

#: Rooms of the server that no answer passes, and what they do.
BESIDE: Final = (
    ("planning", "how many must answer"),
    ("auditing", "tests programs that randomize"),
    ("accounting", "what several answers cost together"),
    ("catalogue", "every mechanism, with what it costs"),
    ("demo", "a survey of made-up people"),
)

#: What is said of the way to the next stop, by the name of the stop before it.
NOTES: Final = {
    "manifest": "the link pins the publisher's key",
    "coins → report": "the truth stays above this line",
    "upload": "network: randomized reports alone",
}
#: Where the way crosses a border.
BORDERS: Final = ("coins → report", "upload")

STYLE: Final = """\
svg { font: 15px system-ui, sans-serif; }
.ground { fill: #ffffff; } .text { fill: #1b1f24; } .dim { fill: #57606a; font-size: 13px; }
.name { font-weight: 600; } .code { font-family: ui-monospace, monospace; font-size: 12.5px; }
.device { fill: #e7f0fb; stroke: #2f6fb3; } .server { fill: #eaf5ea; stroke: #3b7d44; }
.shared { fill: #f6f1e4; stroke: #8a6d1f; } .beside { fill: none; stroke: #8c959f; }
.arrow { stroke: #57606a; stroke-width: 1.5; fill: none; } .head { fill: #57606a; }
.asks { stroke: #8a6d1f; stroke-dasharray: 3 3; fill: none; }
.border { stroke: #b3261e; stroke-dasharray: 6 4; }
@media (prefers-color-scheme: dark) {
  .ground { fill: #0d1117; } .text { fill: #e6edf3; } .dim { fill: #9da7b1; }
  .device { fill: #12263d; stroke: #6ca6e6; } .server { fill: #14291a; stroke: #6fbf7b; }
  .shared { fill: #2b2412; stroke: #d3b35a; } .beside { stroke: #6e7681; }
  .arrow { stroke: #9da7b1; } .head { fill: #9da7b1; } .asks { stroke: #d3b35a; }
  .border { stroke: #ff8a80; }
}"""

TITLE: Final = "The rooms of Tossup and the road of one answer"
DESCRIPTION: Final = (
    "From top to bottom: the server signs a manifest. On the device, an answer becomes a report by"
    " coins, rests in the outbox and is uploaded. The truth does not go beyond the coins. On the"
    " server, ingest stores the report and counts it in a tally, from which estimates and pages are"
    " made. Each stop asks rooms of tossup.shared, on the right. Planning, auditing, accounting,"
    " the catalogue and the demonstration stand beside the road."
)


def picture() -> str:
    """Return the SVG, 480 units wide, with the colours of light or dark screens."""
    road, below = [], 44
    for stop in ROAD:
        road += [*_stop(stop, below), *_way_on(stop, below)]
        below += _STEP + _ROOM_FOR_WORDS * (stop.name in NOTES)
    beside = list(_beside(below + 12))
    height = below + 12 + 26 + 38 * len(BESIDE) + 10
    head = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}"'
        f' height="{height}" role="img" aria-labelledby="title description">',
        f'<title id="title">{TITLE}</title>',
        f'<desc id="description">{DESCRIPTION}</desc>',
        f"<style>\n{STYLE}\n</style>",
        f'<rect class="ground" width="{WIDTH}" height="{height}"/>',
        _text(_LEFT, 26, "the road", "dim"),
        _text(_LEFT + _ROAD + _GAP, 26, "asks of tossup.shared", "dim"),
    ]
    return "\n".join([*head, *road, *beside, "</svg>", ""])


def _stop(stop: Stop, top: int) -> Iterator[str]:
    yield _box(stop.side, _LEFT, top, _ROAD)
    yield _text(_LEFT + 12, top + _FIRST, stop.name, "text name")
    yield _text(_LEFT + _ROAD - 12, top + _FIRST, stop.side, "dim", anchor="end")
    yield _text(_LEFT + 12, top + _FIRST + _LINE, stop.what, "text")
    yield _text(_LEFT + 12, top + _FIRST + 2 * _LINE - 2, ", ".join(stop.rooms), "dim code")
    if asked := stop.shared:
        left, middle = _LEFT + _ROAD + _GAP, top + _HEIGHT // 2
        yield f'<path class="asks" d="M{_LEFT + _ROAD} {middle}h{_GAP}"/>'
        yield _box("shared", left, middle - 11 * len(asked) - 3, _SHARED, 22 * len(asked) + 6)
        for place, room in enumerate(asked):
            yield _text(left + 12, middle - 11 * len(asked) + 16 + 22 * place, room, "text code")


def _way_on(stop: Stop, top: int) -> Iterator[str]:
    """Yield the arrow to the next stop, and what it crosses."""
    if stop is ROAD[-1]:
        return
    start, across = top + _HEIGHT, _LEFT + 24
    end = start + _STEP - _HEIGHT + _ROOM_FOR_WORDS * (stop.name in NOTES)
    yield f'<path class="arrow" d="M{across} {start}V{end - 8}"/>'
    yield f'<path class="head" d="M{across - 5} {end - 8}h10l-5 8z"/>'
    if stop.name in NOTES:
        yield _text(across + 16, start + 20, NOTES[stop.name], "dim")
    if stop.name in BORDERS:
        yield f'<path class="border" d="M0 {start + 28}h{WIDTH}"/>'


def _beside(top: int) -> Iterator[str]:
    yield _text(_LEFT, top + 14, "rooms of the server beside the road", "dim")
    for place, (room, what) in enumerate(BESIDE):
        at = top + 26 + 38 * place
        yield _box("beside", _LEFT, at, WIDTH - 2 * _LEFT, 32)
        yield _text(_LEFT + 12, at + 21, room, "text code")
        yield _text(_LEFT + 108, at + 21, what, "text")


def _box(kind: str, left: int, top: int, width: int, height: int = _HEIGHT) -> str:
    return f'<rect class="{kind}" x="{left}" y="{top}" width="{width}" height="{height}" rx="6"/>'


def _text(left: int, base: int, words: str, kind: str, anchor: str = "start") -> str:
    return (
        f'<text class="{kind}" x="{left}" y="{base}" text-anchor="{anchor}">{escape(words)}</text>'
    )


if __name__ == "__main__":
    TARGET.write_text(picture(), "utf-8")
