"""What ``--truth`` says of made-up respondents: texts of a command line to exact numbers."""

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

import click

from tossup.server.exact import exact

if TYPE_CHECKING:
    from tossup.shared.survey import Question


def by_question(truths: tuple[str, ...]) -> Mapping[str, str]:
    """Return what is written for each question; without a name, for the only one."""
    written: dict[str, str] = {}
    for truth in truths:
        name, equals, rest = truth.partition("=")
        name, rest = (name, rest) if equals else ("question", name)
        if name in written:
            raise click.UsageError(f"--truth is given twice for {name}")
        written[name] = rest
    return written


def numbers(name: str, written: str) -> tuple[Fraction, ...]:
    """Return numbers with commas between them, exactly: shares, or answers about a number."""
    try:
        return tuple(exact(part) for part in written.split(","))
    except ValueError as error:
        raise click.UsageError(
            f"--truth {name}={written}: {error}; it takes shares, or the answers to a question"
            " about a number"
        ) from error


def shares_of_texts(name: str, written: str) -> Mapping[str, Fraction]:
    """Return shares by text: ``alice:0.3,bob:0.2``."""
    try:
        pairs = [part.rpartition(":") for part in written.split(",")]
        if not all(colon for _, colon, _ in pairs):
            raise ValueError("a share has no text before it")
        found = {text: exact(share) for text, _, share in pairs}
        if len(found) < len(pairs):
            raise ValueError("a text stands there twice")
        return found
    except ValueError as error:
        raise click.UsageError(
            f"--truth {name}={written}: {error}; a question about a text takes shares by text:"
            " alice:0.3,bob:0.2"
        ) from error


def example(question: "Question") -> str:
    """Return an option ``--truth`` that a question takes."""
    from tossup.shared.kinds.ranking import Ranking
    from tossup.shared.kinds.text import FreeText
    from tossup.shared.kinds.vector import VectorAnswer

    if question.grid:
        return f"--truth {question.id}={question.grid.low},{question.grid.high}"
    if isinstance(question.domain, VectorAnswer):
        return f"--truth {question.id}={','.join(['0'] * len(question.options))}"
    if isinstance(question.domain, FreeText):
        return f"--truth {question.id}=alice:0.3,bob:0.2"
    if isinstance(question.domain, Ranking):
        return f"--truth '{question.id}={'>'.join(question.answer_ids)}'"
    count = len(question.options)
    shares = ",".join([f"1/{count}"] * count) if count else "0.3"
    return f"--truth {question.id}={shares}"


def orders(written: str) -> list[tuple[str, ...]]:
    """Return orders, best first: ``a>b>c,b>a>c``."""
    return [tuple(order.split(">")) for order in written.split(",")]
