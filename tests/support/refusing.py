"""The sentences by which code refuses something, read off its source, with holes in them."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

#: What stands for a part of a sentence that varies.
HOLE = "\N{REPLACEMENT CHARACTER}"


def texts_in(path: Path) -> Iterator[str]:
    """Yield the texts of a module: plain ones, and those that are put together."""
    tree = ast.parse(path.read_text())
    parts = {
        id(part)
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr)
        for part in ast.walk(node)
        if part is not node
    }
    for node in ast.walk(tree):
        if id(node) not in parts:
            text = _text(node)
            if text:
                yield text


def refusals_in(path: Path) -> Iterator[str]:
    """Yield what is raised in a module as the first argument, where that is a text."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and node.exc.args:
            text = _text(node.exc.args[0])
            if text:
                yield text


def _text(node: ast.AST) -> str | None:
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.JoinedStr):
        return "".join(_text(part) or HOLE for part in node.values)
    return None


def fits(sentence: str, text: str) -> bool:
    """Return whether a sentence with holes may be what another says, or a part of the same."""
    return _fits(sentence, text) or _fits(text, sentence)


def _fits(general: str, special: str) -> bool:
    if HOLE not in general:  # thousands have none: a pattern of each would take seconds to make
        return general == special
    return _pattern(general).fullmatch(special) is not None


@cache
def _pattern(sentence: str) -> re.Pattern[str]:
    return re.compile(".*".join(map(re.escape, sentence.split(HOLE))), re.DOTALL)
