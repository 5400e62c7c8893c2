"""What commands print, and how they fail."""

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from io import TextIOWrapper
from math import isfinite
from typing import IO, Any, ClassVar, Final

import click

from tossup.server.decimals import decimals_within

#: Where the context of all commands remembers that --json was given, even to one that is refused.
AS_JSON: Final = "tossup.as_json"

#: Numbers with more decimals, or as large as this, are written with an exponent.
_MOST_DECIMALS: Final = 12
_UNCOUNTED: Final = 1e15

json_option: Callable[[Any], Any] = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON value on standard output."
)


class Number(click.ParamType[Any]):
    """A number as it was written, without the rounding of floats."""

    name = "number"

    def __init__(self, kind: Callable[[str], Decimal | Fraction]) -> None:
        self._kind = kind

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return the number, or fail as click does."""
        try:
            return self._kind(value)
        except (InvalidOperation, ValueError, ZeroDivisionError):
            self.fail(f"{value!r} is no number, such as 0.1", param, ctx)


class Failure(click.ClickException):
    """A command that did not do what was asked: what happened, why, and what to do.

    Parameters
    ----------
    message
        What happened and why, in one or two sentences.
    fix
        The command or action that helps; may be empty.
    """

    exit_code: ClassVar[int] = 1

    def __init__(self, message: str, fix: str = "") -> None:
        super().__init__(message)
        self.fix = fix
        # Remembered now: the command's context has ended when the failure is shown.
        context = click.get_current_context(silent=True)
        self._as_json = context is not None and bool(context.meta.get(AS_JSON))

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the failure on standard error: as JSON where the command was asked for JSON."""
        if self._as_json:
            error = {"exit_code": self.exit_code, "message": self.message, "fix": self.fix}
            note(as_json_text({"error": error}, file or sys.stderr), file=file)
            return
        label = click.style("Error:", fg="red", bold=True)
        note(f"{label} {self.message}", file=file, color=self.show_color)
        if self.fix:
            note(f"Try: {self.fix}", file=file)


class WrongUsage(Failure):
    """A command line that no command understands; click's own words, where JSON is asked for."""

    exit_code: ClassVar[int] = 2


class TooFewReports(Failure):
    """No estimate yet: too few reports for any that was asked for."""

    exit_code: ClassVar[int] = 3


class RefusedForPrivacy(Failure):
    """What was asked would cost more privacy, or expose more, than is allowed."""

    exit_code: ClassVar[int] = 4


class Unreachable(Failure):
    """No server answers."""

    exit_code: ClassVar[int] = 5


def emit(value: object, text: str, *, as_json: bool) -> None:
    """Print data on standard output: the value as JSON, or the text for people."""
    # Named, or click writes UTF-8 to a terminal that says it has only ASCII.
    click.echo(as_json_text(value, sys.stdout) if as_json else text, file=sys.stdout)


def as_json_text(value: object, stream: IO[str]) -> str:
    """Return a value as JSON: its letters as they are where the stream can show every one."""
    encoding = (getattr(stream, "encoding", None) or "").lower().replace("-", "")
    return json.dumps(value, ensure_ascii=encoding != "utf8")


def escape_what_cannot_be_shown() -> None:
    """Let both streams write an escape for a letter that their terminal has not.

    A title in Chinese ends no command, whatever the locale.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def note(text: str, *, file: IO[Any] | None = None, color: bool | None = None) -> None:
    """Print a note on standard error, or where it is told to."""
    click.echo(text, file=file or sys.stderr, color=color)


def table(rows: Sequence[Mapping[str, object]], columns: Sequence[str]) -> str:
    """Return rows as aligned text under a heading, numbers to the right."""
    cells = [list(columns), *([str(row[column]) for column in columns] for row in rows)]
    widths = [max(len(line[place]) for line in cells) for place in range(len(columns))]
    right = [bool(rows) and isinstance(rows[0][column], int | float) for column in columns]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if is_right else cell.ljust(width)
            for cell, width, is_right in zip(line, widths, right, strict=True)
        ).rstrip()
        for line in cells
    )


def percent(share: float, width: float = 0.01) -> str:
    """Return a share as a percentage: 0.3226 is 32.3 %.

    Parameters
    ----------
    width
        That of its interval, of which two digits are told.

    >>> percent(0.3226), percent(0.3226, width=0.0004)
    ('32.3 %', '32.260 %')
    """
    return f"{in_points(share, width)} %"


def in_points(share: float, width: float) -> str:
    """Return a share, or a difference of shares, in points, with the digits of `percent`."""
    return f"{100 * share:.{max(1, decimals_within(100 * width))}f}"


def percent_and_ends(value: float, low: float, high: float) -> tuple[str, str, str]:
    """Return a share and both ends of its interval as percentages."""
    told, first, last = (percent(share, high - low) for share in (value, low, high))
    return told, first, last


def points(margin: float) -> str:
    """Return a margin in percentage points, two significant digits or more, rounded up."""
    from tossup.server.accounting.rounding import UPWARD

    exact = UPWARD.create_decimal(repr(100 * margin))
    digits = max(1, 1 - exact.adjusted())
    return f"{exact.quantize(Decimal(1).scaleb(-digits), context=UPWARD)} points"


def measured(value: float, low: float, high: float) -> str:
    """Return a number with the digits that its interval, from low to high, has use for.

    Two digits of the interval's width are told, thousands are grouped; an exponent is only for
    what nobody would count the digits of.

    >>> measured(19400004.873, 19400004.2, 19400005.6), measured(1234.5, 1100, 1400)
    ('19,400,004.9', '1,234')
    """
    size = max(abs(value), abs(low), abs(high))
    width = high - low
    decimals = decimals_within(width if isfinite(width) and width > 0 else size / 100)
    if decimals > _MOST_DECIMALS or size >= _UNCOUNTED:
        return f"{value:.{_MOST_DECIMALS}g}"
    return f"{value:z,.{decimals}f}"


def estimate_and_ends(
    line: Mapping[str, Any], of: Mapping[str, Any] | None = None
) -> tuple[str, str, str]:
    """Return value, low and high: shares as percentages, numbers with their interval's digits.

    Parameters
    ----------
    of
        For a change: an estimate of what changed, which says whether it is a number.
    """
    told = line["value"], line["low"], line["high"]
    if "statistic" not in (of or line):
        return percent_and_ends(*told)
    value, low, high = (measured(number, *told[1:]) for number in told)
    return value, low, high


def estimate_in(question: Mapping[str, Any], line: Mapping[str, Any]) -> str:
    """Return what an estimate is of, and that it is of mean points where it is."""
    name = estimate_name(line)
    return f"{name}, mean points" if is_of_points(question) else name


def is_of_points(question: Mapping[str, Any]) -> bool:
    """Return whether estimates are of mean points; a server of before it said so says nothing."""
    return question.get("estimand") == "points"


def estimate_name(line: Mapping[str, Any]) -> str:
    """Return what an estimate is of: an option's id, a text that was found, or a statistic.

    For a vector, it is the statistic with its component, or its two components.
    """
    if "components" in line:
        return f"{line['statistic']} of {' and '.join(line['components'])}"
    if "component" in line:
        return f"{line['statistic']} of {line['component']}"
    if "text" in line:
        return line["text"] or "(another text)"
    return str(line.get("answer") or line["statistic"])
