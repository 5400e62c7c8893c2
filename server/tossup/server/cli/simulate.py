"""``tossup simulate``: what a design would say about made-up respondents."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import click

from tossup.server.cli.output import Failure, emit, json_option, measured, note, percent, table
from tossup.server.cli.survey_file import read_survey, read_text
from tossup.server.exact import exact

if TYPE_CHECKING:
    from tossup.server.simulation import Line
    from tossup.shared.survey import Question


@click.command()
@click.argument("file", type=click.File("rb"), required=False)
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
    truths: tuple[str, ...],
    respondents: int,
    odds: str,
    runs: int,
    seed: int | None,
    as_json: bool,
) -> None:
    """Toss for made-up respondents and compare the estimates with the truth.

    FILE is a survey file; without it, one question with as many answers as shares are given.
    The coins are the operating system's, unless --seed is given.
    """
    from tossup.server.kernels.source import seeded

    written = _written(truths)
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
    if question.id not in written:
        raise Failure(f"no truth is given for question {question.id}", _example(question))
    try:
        found = _simulated(question, written[question.id], respondents, runs)
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    return [line.to_json() | {"unit": _unit(question)} for line in found]


def _is_about_a_vector(question: "Question") -> bool:
    from tossup.shared.vector import VectorAnswer

    return isinstance(question.domain, VectorAnswer)


def _simulated(question: "Question", written: str, respondents: int, runs: int) -> "list[Line]":
    """Return what the question's kind of simulation says."""
    from tossup.server.ranking_simulation import simulate_ranking
    from tossup.server.text_simulation import simulate_texts
    from tossup.shared.ranking import Ranking
    from tossup.shared.text import FreeText

    if isinstance(question.domain, FreeText):
        return simulate_texts(question, _shares_of_texts(question.id, written), respondents, runs)
    if isinstance(question.domain, Ranking):
        orders = [tuple(order.split(">")) for order in written.split(",")]
        return simulate_ranking(question, orders, respondents, runs)
    return _simulator(question)(question, _numbers(question.id, written), respondents, runs)


def _simulator(question: "Question") -> "Callable[..., list[Line]]":
    """Return what simulates questions of this kind, given numbers."""
    from tossup.server.number_simulation import simulate_number
    from tossup.server.several_simulation import simulate_several
    from tossup.server.simulation import simulate_question
    from tossup.server.vector_simulation import simulate_vector
    from tossup.shared.mechanisms import SetMechanism

    if _is_about_a_vector(question):
        return simulate_vector
    if isinstance(question.mechanism, SetMechanism):
        return simulate_several
    return simulate_number if question.grid else simulate_question


def _unit(question: "Question") -> str:
    """Return what its estimates are: shares, numbers, or points."""
    from tossup.shared.ranking import Ranking

    if isinstance(question.domain, Ranking):
        return "points"
    return "number" if question.grid or _is_about_a_vector(question) else "share"


def _written(truths: tuple[str, ...]) -> Mapping[str, str]:
    """Return what is written for each question; without a name, for the only one."""
    pairs = [truth.partition("=") for truth in truths]
    return {
        name if equals else "question": rest if equals else name for name, equals, rest in pairs
    }


def _numbers(name: str, written: str) -> tuple[Fraction, ...]:
    try:
        return tuple(exact(part) for part in written.split(","))
    except ValueError as error:
        raise click.UsageError(
            f"--truth {name}={written}: {error}; it takes shares, or the answers to a question"
            " about a number"
        ) from error


def _shares_of_texts(name: str, written: str) -> Mapping[str, Fraction]:
    """Return shares by text: ``alice:0.3,bob:0.2``."""
    try:
        pairs = [part.rpartition(":") for part in written.split(",")]
        if not all(colon for _, colon, _ in pairs):
            raise ValueError("a share has no text before it")
        return {text: exact(share) for text, _, share in pairs}
    except ValueError as error:
        raise click.UsageError(
            f"--truth {name}={written}: {error}; a question about a text takes shares by text:"
            " alice:0.3,bob:0.2"
        ) from error


def _from_odds(odds: str, written: Mapping[str, str]) -> "tuple[Question, ...]":
    from tossup.server import designs
    from tossup.shared.errors import MechanismError
    from tossup.shared.survey import Option, Question

    (name, shares), *others = written.items()
    if others:
        raise click.UsageError("several questions need a survey file")
    parts = _numbers(name, shares)
    options = tuple(Option(str(place), {}) for place in range(1, len(parts) + 1))
    yes_no = len(parts) == 1
    try:
        mechanism = designs.from_odds(exact(odds), len(parts), yes_no=yes_no)
    except (MechanismError, ValueError) as error:
        raise click.UsageError(f"--odds: {error}") from error
    return (Question(name, name, {}, () if yes_no else options, mechanism),)


def _example(question: "Question") -> str:
    from tossup.shared.ranking import Ranking
    from tossup.shared.text import FreeText

    if question.grid:
        return f"--truth {question.id}={question.grid.low},{question.grid.high}"
    if _is_about_a_vector(question):
        return f"--truth {question.id}={','.join(['0'] * len(question.options))}"
    if isinstance(question.domain, FreeText):
        return f"--truth {question.id}=alice:0.3,bob:0.2"
    if isinstance(question.domain, Ranking):
        return f"--truth '{question.id}={'>'.join(question.answer_ids)}'"
    count = len(question.options)
    shares = ",".join([f"1/{count}"] * count) if count else "0.3"
    return f"--truth {question.id}={shares}"


def _shown(row: dict[str, Any], what: str) -> str:
    """Return shares and points as percentages, a number with the digits of its interval."""
    if row[what] is None:
        return "not found"
    if row["unit"] != "number":
        return percent(row[what])
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
