"""A survey file as text: what `tomllib` reads, written again.

Stage: authoring. Keys stand in the order in which the documentation names them; what the file says
is the same as before it was read, comments are not kept.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

_BARE: Final = re.compile(r"[A-Za-z0-9_-]+")
#: Tables that stand under a header of their own, and what may stand in them so.
_HEADED: Final = ("publisher", "waves", "attribute", "question", "option")


def written(table: Mapping[str, Any]) -> str:
    """Return the TOML of a survey file's table.

    >>> print(written({"id": "habits", "publisher": {"name": "We"}, "question": [{"odds": 3}]}))
    id = "habits"
    <BLANKLINE>
    [publisher]
    name = "We"
    <BLANKLINE>
    [[question]]
    odds = 3
    <BLANKLINE>
    """
    return "\n".join([*_lines(table, ()), ""])


def inline(value: Any) -> str:
    """Return a value on one line.

    >>> inline({"vector": ["x", "y"], "norm": 1})
    '{ vector = ["x", "y"], norm = 1 }'
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        # JSON escapes all that TOML does, but for the delete character.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Decimal | float):
        return str(value).lower().replace("infinity", "inf")
    if isinstance(value, Mapping):
        pairs = ", ".join(f"{_key(key)} = {inline(part)}" for key, part in value.items())
        return f"{{ {pairs} }}" if pairs else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(inline, value))}]"
    return str(value)


def _lines(table: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[str]:
    headed = {key: value for key, value in table.items() if _is_headed(key, value)}
    for key, value in table.items():
        if key not in headed:
            yield f"{_key(key)} = {inline(value)}"
    for key in sorted(headed, key=_HEADED.index):
        value, name = headed[key], ".".join((*path, key))
        for part in value if isinstance(value, list) else (value,):
            yield from ("", f"[[{name}]]" if isinstance(value, list) else f"[{name}]")
            yield from _lines(part, (*path, key))


def _is_headed(key: str, value: Any) -> bool:
    if key not in _HEADED:
        return False
    parts: Sequence[Any] = value if isinstance(value, list) else (value,)
    return bool(parts) and all(isinstance(part, Mapping) for part in parts)


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else inline(key)
