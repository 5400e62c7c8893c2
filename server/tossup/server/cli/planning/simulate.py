"""``tossup simulate``: what a design would say about made-up respondents."""

import secrets
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from tossup.server.cli.authoring.survey_file import read_survey, read_text
from tossup.server.cli.output import Failure, emit, json_option, measured, note, percent, table
from tossup.server.cli.planning.truths import by_question, example, shares, told
from tossup.server.exact import exact

if TYPE_CHECKING:
    from tossup.shared.survey import Question


@click.command()
@click.argument("file", type=click.File("rb"), required=False)
@click.option(
    "--into", "link", metavar="LINK",
    help="Send the reports to the survey at LINK, on a server for trying things out, and leave the"
    " estimates to it. They cannot be told from those of people.",
)  # fmt: skip
@click.option("--yes", "agreed", is_flag=True, help="--into: do not ask before sending.")
@click.option(
    "--truth", "truths", multiple=True, required=True, metavar="[QUESTION=]SHARES",
    help="True share of yes, such as 0.3, or of every option: 0.5,0.3,0.2 (of several options each"
    " by itself); for a number the answers, equally common: 2,2,7, so for an order:"
    " 'a>b>c,b>a>c', and for a vector, one after the other; for a text shares by text:"
    " alice:0.3,bob:0.2 (all others have texts made up at random). Once per question.",
)  # fmt: skip
@click.option(
    "-n", "--respondents", type=click.IntRange(1, 10**9), default=1000, show_default=True,
    help="How many respondents, drawn at random from the population.",
)  # fmt: skip
@click.option("--odds", default="3", show_default=True, help="Without FILE: odds of one question.")
@click.option("--runs", type=click.IntRange(1, 10_000), default=1, help="Repeat; count the hits.")
@click.option(
    "--seed", type=click.IntRange(0, 2**64 - 1),
    help="Repeat a simulation digit by digit, as for a preregistration. Without it every run"
    " differs. Devices have no seed.",
)  # fmt: skip
@json_option
def simulate(
    *,
    file: Any,
    link: str | None,
    agreed: bool,
    truths: tuple[str, ...],
    respondents: int,
    odds: str,
    runs: int,
    seed: int | None,
    as_json: bool,
) -> None:
    """Toss for made-up respondents and compare the estimates with the truth.

    FILE is a survey file; without it, one question with as many answers as shares are given.
    With --into, respondents answer a published survey: each its questions, independently of one
    another, and its public attributes, equally common unless --truth gives their shares.
    The coins are the operating system's (with --into, AES-256 in counter mode stretches 256 of its
    bits to what all need), unless --seed is given.
    """
    from tossup.server.cli.planning.simulate_into import send_into
    from tossup.server.kernels.tossing.source import seeded

    written = by_question(truths)
    if link is not None:
        if file or runs > 1:
            raise click.UsageError("--into takes the survey from LINK, once: leave FILE and --runs")
        with seeded(secrets.randbits(256) if seed is None else seed):
            send_into(link, written, respondents, agreed=agreed, as_json=as_json)
        return
    questions = read_survey(read_text(file), bytes(32)).questions if file else None
    questions = questions or _from_odds(odds, written)
    with seeded(seed):
        rows = [
            row for question in questions for row in _rows(question, written, respondents, runs)
        ]
    value = {"n": respondents, "runs": runs, "seed": seed, "questions": rows}
    emit(value, _as_text(rows), as_json=as_json)
    if not as_json:
        drawn = "" if seed is None else f" drawn from seed {seed},"
        note(
            f"{respondents} respondents, {runs} run(s),{drawn} 95 % intervals; the first run is"
            " shown."
        )


def _rows(
    question: "Question", written: Mapping[str, str], respondents: int, runs: int
) -> list[dict[str, Any]]:
    """Return the lines of one question, in its unit."""
    from tossup.server.kinds import kind_of

    if question.id not in written:
        raise Failure(f"no truth is given for question {question.id}", example(question))
    kind, truth = kind_of(question), told(question, written[question.id])
    try:
        found = kind.simulate(question, truth, respondents, runs)
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    return [line.to_json() | {"unit": kind.unit} for line in found]


def _from_odds(odds: str, written: Mapping[str, str]) -> "tuple[Question, ...]":
    from tossup.server.kinds.choosing.options import plain
    from tossup.shared.errors import MechanismError
    from tossup.shared.survey import Option, Question

    (name, given), *others = written.items()
    if others:
        raise click.UsageError("several questions need a survey file")
    parts = shares(name, given)
    options = tuple(Option(str(place), {}) for place in range(1, len(parts) + 1))
    yes_no = len(parts) == 1
    try:
        mechanism = plain(exact(odds), 2 if yes_no else len(parts), yes_no=yes_no)
    except (MechanismError, ValueError) as error:
        raise click.UsageError(f"--odds: {error}") from error
    return (Question(name, name, {}, () if yes_no else options, mechanism),)


def _shown(row: dict[str, Any], what: str) -> str:
    """Return shares and points as percentages, a number with the digits of its interval."""
    if row[what] is None:
        return "not found"
    if row["unit"] != "number":
        return percent(row[what], 1.0 if row["low"] is None else row["high"] - row["low"])
    return measured(row[what], row["low"], row["high"])


def _interval(row: dict[str, Any]) -> str:
    return "–" if row["low"] is None else f"{_shown(row, 'low')} to {_shown(row, 'high')}"


def _as_text(rows: list[dict[str, Any]]) -> str:
    shown = [
        {
            "question": row["id"],
            "truth": _shown(row, "truth"),
            "estimate": _shown(row, "estimate"),
            "95 % interval": _interval(row),
            "runs inside": f"{row['inside']} of {row['runs']}",
        }
        for row in rows
    ]
    return table(shown, list(shown[0]))
