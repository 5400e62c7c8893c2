"""Where in a survey file a problem stands: its line, and the question's own name.

Stage: authoring. The TOML reader keeps no lines, so this module looks for keys and headers
in the text again. It only gets files that are TOML.
"""

import re
import tomllib
from collections.abc import Iterator, Sequence
from typing import Any, Final

Path = tuple[str | int, ...]

_HEADER: Final = re.compile(r"^\s*(\[\[?)\s*([^\[\]]+?)\s*\]\]?\s*(#.*)?$")
_KEY: Final = re.compile(r"""^\s*([A-Za-z0-9_-]+|"[^"]*"|'[^']*')\s*[.=]""")
_NAMED: Final = re.compile(r"^(question|attribute) '(.*?)'(?:, ([a-z_]+))?")
_WORD: Final = re.compile(r"[a-z_]+")
_LISTED: Final = ("question", "attribute", "option")


class Places:
    """The lines of a survey file's keys and tables."""

    def __init__(self, text: str) -> None:
        self._table: dict[str, Any] = tomllib.loads(text)
        self._lines = dict(reversed(list(_lines(text))))

    def shown(self, place: str, what: str) -> str:
        """Return a problem as a sentence that begins with its line and the question's id."""
        path = self._path(place, what)
        line = next(
            (
                self._lines[path[:end]]
                for end in range(len(path), 0, -1)
                if path[:end] in self._lines
            ),
            None,
        )
        where = ", ".join(filter(None, [f"line {line}" if line else "", self._named(place)]))
        return f"{where}: {what}" if where else what

    def _path(self, place: str, what: str) -> Path:
        """Return the path of a place, such as ``question 1 txt`` or ``question 'tried', text``."""
        named = _NAMED.match(place)
        if named is None:
            path = tuple(int(p) - 1 if p.isdigit() else p for p in place.replace(",", "").split())
            return path or self._of_whole(what)
        kind, name, key = named.groups()
        parts = self._parts(kind)
        at = next((i for i, part in enumerate(parts) if part.get("id") == name), 0)
        inside = self._guessed((kind, at), parts[at] if parts else {}, what)
        return (kind, at, key) if key else inside

    def _of_whole(self, what: str) -> Path:
        """Return the path of what a message about the file as a whole names: a part, or a key."""
        for kind in ("question", "attribute"):
            for at, part in enumerate(self._parts(kind)):
                if repr(part.get("id")) in what:
                    return self._guessed((kind, at), part, what)
        return self._guessed((), self._table, what)

    def _guessed(self, path: Path, table: dict[str, Any], what: str) -> Path:
        """Return the first key of a table that a message names; the table itself, if none."""
        names = [word for word in _WORD.findall(what) if word in table]
        return (*path, names[0]) if names else path

    def _named(self, place: str) -> str:
        """Return a place with the question's id instead of its number."""
        kind, _, rest = place.partition(" ")
        number, _, key = rest.partition(" ")
        parts = self._parts(kind)
        if kind not in _LISTED or not number.isdigit() or int(number) > len(parts):
            return place
        name = parts[int(number) - 1].get("id")
        return f"{kind} {name!r}{f', {key}' if key else ''}" if isinstance(name, str) else place

    def _parts(self, kind: str) -> list[dict[str, Any]]:
        """Return the tables of a kind; none where the file has something else there."""
        parts = self._table.get(kind)
        tables = parts if isinstance(parts, list) else []
        return tables if all(isinstance(part, dict) for part in tables) else []


def _lines(text: str) -> Iterator[tuple[Path, int]]:
    """Yield the path of every header and key with its line, from 1."""
    inside: Path = ()
    counts: dict[Path, int] = {}
    for number, line in enumerate(_without_values(text), 1):
        header, key = _HEADER.match(line), _KEY.match(line)
        if header is not None:
            inside = _entered(header[2].split("."), counts, is_list=header[1] == "[[")
            yield inside, number
        elif key is not None:
            yield (*inside, key[1].strip("\"'")), number


def _entered(names: Sequence[str], counts: dict[Path, int], *, is_list: bool) -> Path:
    """Return the path of a table that a header opens, with its place in every list on the way."""
    path: Path = ()
    for place, name in enumerate(names, 1):
        path = (*path, name.strip().strip("\"'"))
        if is_list and place == len(names):
            counts[path] = counts.get(path, -1) + 1
        if path in counts:
            path = (*path, counts[path])
    return path


def _without_values(text: str) -> Iterator[str]:
    """Yield every line, and an empty one for each that goes on with a value of several lines."""
    quotes, depth = "", 0
    for line in text.split("\n"):
        yield "" if quotes or depth else line
        quotes, depth = _after(line, quotes, depth)


def _after(line: str, quotes: str, depth: int) -> tuple[str, int]:
    """Return which quotes are open at the end of a line, and how many brackets of a value."""
    if not quotes and not depth and _HEADER.match(line):
        return "", 0
    for sign in re.findall(r"\\.|\"\"\"|'''|\"|'|[\[\]{}#]", line):
        if quotes:
            quotes = "" if sign == quotes else quotes
        elif sign == "#":
            break
        elif sign[0] in "\"'":
            quotes = sign
        elif sign[0] != "\\":
            depth += 1 if sign in "[{" else -1
    return quotes if len(quotes) == 3 else "", max(depth, 0)
