"""What ``--truth`` says of made-up respondents: texts of a command line to exact numbers."""

from collections.abc import Mapping
from fractions import Fraction
from shlex import quote
from typing import TYPE_CHECKING, Any

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


def shares(name: str, written: str) -> tuple[Fraction, ...]:
    """Return shares with commas between them, exactly."""
    try:
        return tuple(exact(part) for part in written.split(","))
    except ValueError as error:
        raise click.UsageError(
            f"--truth {name}={written}: {error}; it takes shares, or the answers to a question"
            " about a number"
        ) from error


def told(question: "Question", written: str) -> Any:
    """Return what is written for a question, as its kind reads it.

    Raises
    ------
    click.UsageError
        If its kind reads no such thing.
    """
    from tossup.server.kinds import kind_of

    try:
        return kind_of(question).read_truth(question, written)
    except ValueError as error:
        raise click.UsageError(
            f"--truth {question.id}={written}: {error}; it takes something like: "
            f"{example(question)}"
        ) from error


def example(question: "Question") -> str:
    """Return an option ``--truth`` that a question takes."""
    from tossup.server.kinds import kind_of

    written = f"{question.id}={kind_of(question).example_of_truth(question)}"
    return f"--truth {quote(written)}"
