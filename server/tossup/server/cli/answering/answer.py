"""``tossup answer``: this machine answers as a respondent's device, through the real SDK."""

import sys
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tossup.server.cli.answering.asking import ask, stopped
from tossup.server.cli.answering.device import (
    fail_if_waiting,
    opened,
    pairs_of,
    question_cap_option,
    store_option,
    wave_option,
)
from tossup.server.cli.output import Failure, emit, json_option, note

if TYPE_CHECKING:
    from tossup.client import Client, FlushResult, Status
    from tossup.shared.survey import Question, Survey


@click.command()
@click.argument("link")
@click.argument("answers", nargs=-1, metavar="[QUESTION=ANSWER...]")
@store_option
@click.option("--yes", "agreed", is_flag=True, help="Do not ask before tossing.")
@click.option("--echo", is_flag=True, help="Show what is typed, where questions are asked.")
@wave_option
@question_cap_option
@json_option
def answer(
    *,
    link: str,
    answers: tuple[str, ...],
    store: Path | None,
    agreed: bool,
    echo: bool,
    wave: int | None,
    question_cap: Fraction,
    as_json: bool,
) -> None:
    """Answer the survey at LINK: toss here, and send the report alone.

    Without answers it asks one question after the other, and does not show what is typed. Then it
    shows what can be sent, with which odds, and asks before anything is tossed; to stop before
    that, with Ctrl-C, spends nothing. Answers on the command line stay in the shell's history.

    Yes/no questions take yes or no, choices and public attributes the id of an option, questions
    with several answers ids with commas between them (nothing for none), orders all options, best
    first ('way=tram>bike>bus'), numbers a number (beyond its bounds it counts as the nearest
    bound), as in:
    tossup answer 'https://example.org/v1/surveys/habits-7#key=...' ever_tried=yes region=north

    A survey that asks in waves takes an answer in each, as its preview says; where coins are
    tossed once for life, `tossup device repeat` reports again without an answer.
    """
    words = pairs_of(answers)
    if not (agreed and words) and not (sys.stdin and sys.stdin.isatty()):
        raise click.UsageError(
            "there is no terminal to ask on; give answers, and add --yes to toss without asking"
        )
    with opened(link, store, question_cap) as client:
        survey = client.survey()
        if survey is None:  # not with strict=True, which raises instead
            raise Failure("the survey is not known")
        given = (
            _answers(survey, words)
            if words
            else ask(survey, _to_ask(survey, client.status()), echo=echo)
        )
        if not agreed:
            _confirm(client, given)
        _run(client, survey, given, wave, as_json=as_json)


def _to_ask(survey: "Survey", status: "Status") -> "list[Question]":
    """Return the questions that this device may answer now."""
    if status.waves is not None:
        return [question for question in survey.questions if question.id in status.waves.to_ask]
    return [q for q in survey.questions if q.topic not in status.answered_topics]


def _confirm(client: "Client", given: Mapping[str, object]) -> None:
    """Show what can be sent, and go on only if that is agreed to."""
    note(f"\n{client.preview(given)}")
    try:
        agrees = click.confirm("Toss the coins and send?", err=True)
    except (click.Abort, KeyboardInterrupt):
        note("")
        raise stopped() from None
    if not agrees:
        raise stopped()


def _run(
    client: "Client",
    survey: "Survey",
    given: Mapping[str, object],
    wave: int | None,
    *,
    as_json: bool,
) -> None:
    from tossup.client.errors import ClientError

    before = Counter(client.status().quarantined)
    try:
        client.answer(given, wave, manifest=survey.digest)
    except ClientError:
        _send_what_waited(client)
        raise
    _tell(client, survey, client.flush(force=True), before, as_json=as_json)


def _answers(survey: "Survey", words: Mapping[str, str]) -> dict[str, object]:
    """Return answers by question id: truth values, numbers or options, as the question takes.

    Raises
    ------
    Failure
        If one is not declared, in the words of the command line. The message never shows it.
    """
    questions = {question.id: question for question in survey.questions}
    allowed = _allowed(survey)
    for name, value in words.items():
        if name not in allowed:
            asked = ", ".join(allowed)
            raise Failure(f"{survey.id} does not ask {name}, but {asked}. Nothing was tossed")
        if name not in questions and value not in allowed[name]:
            options = ", ".join(allowed[name])
            raise Failure(f"{name} takes one of: {options}. Nothing was tossed")
    return {
        name: _typed(questions[name], value) if name in questions else value
        for name, value in words.items()
    }


def _typed(question: "Question", value: str) -> object:
    """Return a word as the question takes it.

    Raises
    ------
    Failure
        If the question takes no such word. The message does not show it.
    """
    answer = question.domain.read(value)
    if answer is None:
        raise Failure(f"{question.id} takes {question.domain.example}. Nothing was tossed")
    return answer


def _allowed(survey: "Survey") -> dict[str, tuple[str, ...]]:
    publics = {
        part.id: tuple(option.id for option in part.options) for part in survey.asked_attributes
    }
    return {question.id: question.answer_ids for question in survey.questions} | publics


def _send_what_waited(client: "Client") -> None:
    """Send earlier reports even where this answer was refused; no failure of its own."""
    from tossup.client.errors import ClientError

    with suppress(ClientError):
        sent = client.flush(force=True)
        if sent.sent or sent.pending:
            note(f"Of earlier answers: {sent.sent} report(s) sent, {sent.pending} waiting.")


def _tell(
    client: "Client",
    survey: "Survey",
    sent: "FlushResult",
    before: Counter[str],
    *,
    as_json: bool,
) -> None:
    from tossup.shared.figures import in_full

    status = client.status()
    spent = status.publisher
    refused = Counter(status.quarantined) - before
    told: dict[str, object] = {
        "survey": survey.id,
        "sent": sent.sent,
        "pending": sent.pending,
        "refused": refused.total(),
        "odds": in_full(spent.odds),
        "cap": in_full(spent.cap),
        "delta": in_full(spent.delta),
        "delta_cap": in_full(spent.delta_cap),
    }
    text = f"{sent.sent} report(s) sent to {survey.id}, {sent.pending} waiting on this device."
    emit(told, text, as_json=as_json)
    if not as_json:
        note(f"Spent with this publisher: {spent}.")
    if refused:
        raise Failure(f"the server refused {refused.total()} report(s): {', '.join(refused)}")
    fail_if_waiting(sent)
