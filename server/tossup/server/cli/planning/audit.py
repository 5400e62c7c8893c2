"""``tossup audit``: test any program that randomizes answers, from outside."""

import json
import shlex
import sys
from collections.abc import Sequence
from fractions import Fraction
from math import isclose
from platform import python_version
from typing import TYPE_CHECKING

import click

from tossup.server.cli.output import Failure, RefusedForPrivacy, emit, json_option, table
from tossup.server.cli.planning.mechanism import (
    answers_option,
    delta_option,
    design_of,
    most_option,
    odds_option,
    set_option,
)
from tossup.server.version import product_version

if TYPE_CHECKING:
    from tossup.server.auditing import Verdict
    from tossup.shared.mechanisms import Mechanism


def count(_context: click.Context, _parameter: click.Parameter, value: str | None) -> int | None:
    """Return an option's whole number, also written 1e7."""
    if value is None:
        return None
    try:
        number = Fraction(value)
    except (ValueError, ZeroDivisionError):
        number = Fraction(0)
    if number.denominator != 1 or not 1 <= number <= 10**9:
        raise click.BadParameter(f"{value!r} is not a whole number from 1 to 1e9")
    return int(number)


@click.command()
@click.option("--cmd", "command", help="The program: answers on its input, reports on its output.")
@click.option("--self", "own", is_flag=True, help="Audit the mechanism of this very installation.")
@click.option("--mechanism", "name", required=True, help="What the program claims to be.")
@odds_option
@answers_option
@most_option
@delta_option
@set_option
@click.option(
    "--trials", metavar="COUNT", callback=count,
    help="How often to give each answer. By default 1e7, or fewer where events are counted.",
)  # fmt: skip
@click.option(
    "--timeout", type=click.FloatRange(min=0.1), default=60, show_default=True,
    help="Seconds that the program may do nothing.",
)  # fmt: skip
@json_option
def audit(
    *,
    command: str | None,
    own: bool,
    name: str,
    odds: Fraction,
    answers: int,
    most: int | None,
    delta: Fraction | None,
    parameters: Sequence[str],
    trials: int | None,
    timeout: float,
    as_json: bool,
) -> None:
    """Test a program, in any language, against the exact channel of a mechanism.

    The program reads the index of an answer a line and writes the number of a report a line. Of
    mechanisms with many reports, such as masks and vectors, events are counted whose exact
    probabilities are known. Three tests refuse a correct program with probability at most 1e-6,
    all together. Exits with 4 if it protects less than it claims, with 1 if it is wrong in
    another way.
    """
    from tossup.server import auditing
    from tossup.shared.errors import MechanismError

    claimed = design_of(name, odds, answers, parameters, most, delta=delta)
    words = _words(command, claimed, own=own)
    try:
        if trials is None:
            trials = auditing.thorough_trials(claimed)
        verdict = auditing.audit(words, claimed, trials, timeout)
    except MechanismError as error:
        raise Failure(str(error), "docs/how-to/audit-an-sdk.md says what can be audited") from error
    except auditing.AuditError as error:
        raise Failure(str(error), "docs/how-to/audit-an-sdk.md says how to write one") from error
    emit(_described(verdict, words), _as_text(verdict), as_json=as_json)
    _fail(verdict)


def _words(command: str | None, claimed: "Mechanism", *, own: bool) -> list[str]:
    if own == (command is not None):
        raise click.UsageError("name a program with --cmd, or --self for this installation")
    if command is None:
        spec = json.dumps(claimed.spec())
        return [sys.executable, "-m", "tossup.shared.perturb", spec, str(claimed.answers)]
    try:
        return shlex.split(command) or [""]
    except ValueError as error:
        raise click.UsageError(f"--cmd: {error}") from error


def _described(verdict: "Verdict", words: Sequence[str]) -> dict[str, object]:
    versions = {"tossup": product_version() or "unknown", "python": python_version()}
    return {"command": list(words), "versions": versions, **verdict.to_json()}


def _as_text(verdict: "Verdict") -> str:
    claim, worst = verdict.claim, verdict.worst
    rows = [
        _row(
            "violation",
            verdict.violates,
            f"epsilon at least {verdict.lower:.4f}, {claim:.4f} claimed",
        ),
        _row("over-noising", verdict.over_noised, _at_most(verdict)),
        _row(
            "cells",
            verdict.deviates,
            f"farthest off: {worst.what}, {worst.count} times where"
            f" {worst.expected} is exact (p = {worst.p_value:.2g},"
            f" refused below {verdict.threshold:.2g})",
        ),
    ]
    shown = (
        f"{verdict.mechanism.name}, {verdict.trials:,} trials of each of"
        f" {verdict.answers} answers, by the {verdict.audited}"
    )
    rate = f"A correct program is refused with probability at most {verdict.alpha:g}."
    few = "These are too few to tell that reports depend on answers at all; raise --trials."
    return "\n".join([shown, table(rows, list(rows[0])), rate, *([] if verdict.tells else [few])])


def _at_most(verdict: "Verdict") -> str:
    bound = f"epsilon at most {verdict.upper:.4f}"
    if isclose(verdict.shown, verdict.claim, rel_tol=1e-6):
        return bound
    shown = f"{verdict.shown:.4f} that the exact mechanism shows"
    return f"{bound}, of the {shown}: {verdict.tightest.what}"


def _row(test: str, refused: bool, found: str) -> dict[str, object]:  # noqa: FBT001
    return {"test": test, "verdict": "REFUSED" if refused else "passed", "found": found}


def _fail(verdict: "Verdict") -> None:
    if verdict.violates:
        raise RefusedForPrivacy("the program protects less than it claims", "do not ship it")
    if not verdict.accepted:
        raise Failure(
            "the program does not follow the mechanism, so estimates from it would be wrong"
        )
