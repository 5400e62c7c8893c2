"""``tossup answer``: this machine as a respondent's device, through the real SDK."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tossup.server.cli.output import (
    Failure,
    RefusedForPrivacy,
    Unreachable,
    emit,
    json_option,
    note,
)

if TYPE_CHECKING:
    from tossup.client import Client, FlushResult
    from tossup.client.errors import ClientError
    from tossup.shared.survey import Question, Survey


def default_store() -> Path:
    """Return the device's store by the XDG convention: ~/.local/share/tossup/device.db."""
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data) / "tossup" / "device.db"


@click.command()
@click.argument("link")
@click.argument("answers", nargs=-1, required=True, metavar="QUESTION=ANSWER...")
@click.option(
    "--store", envvar="TOSSUP_STORE", type=click.Path(path_type=Path), default=default_store,
    show_default="~/.local/share/tossup/device.db", show_envvar=True,
    help="The device's ledger and outbox.",
)  # fmt: skip
@click.option("--yes", "agreed", is_flag=True, help="Do not ask before tossing.")
@json_option
def answer(
    *, link: str, answers: tuple[str, ...], store: Path, agreed: bool, as_json: bool
) -> None:
    """Answer the survey at LINK: toss here, and send the report alone.

    Yes/no questions take yes or no, choices and public attributes the id of an option, numbers
    a number (beyond its bounds it counts as the nearest bound), as in:
    tossup answer 'https://example.org/v1/surveys/habits-7#key=...' ever_tried=yes region=north
    """
    from tossup.client.errors import ClientError

    try:
        _run(link, answers, store, agreed=agreed, as_json=as_json)
    except ClientError as error:
        raise _failure(error) from error
    except OSError as error:
        raise Failure(f"the store {store} cannot be made: {error.strerror}") from error


def _run(link: str, answers: Sequence[str], store: Path, *, agreed: bool, as_json: bool) -> None:
    from tossup.client import Client

    store.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    client = Client(link, store=store, strict=True)
    survey = client.survey()
    if survey is None:  # not with strict=True, which raises instead
        raise Failure("the survey is not known")
    given = _answers(survey, answers)
    if not agreed and sys.stdin.isatty():
        note(str(client.preview(given)))
        click.confirm("Toss the coins and send?", abort=True, err=True)
    client.answer(given)
    sent = client.flush()
    _tell(client, survey, sent, as_json=as_json)


def _answers(survey: "Survey", answers: Sequence[str]) -> dict[str, object]:
    """Return answers by question id: truth values, numbers or options, as the question takes."""
    kinds = {question.id: question for question in survey.questions}
    given: dict[str, object] = {}
    for pair in answers:
        name, equals, value = pair.partition("=")
        if not equals:
            raise click.UsageError("answers are written QUESTION=ANSWER")
        given[name] = _typed(kinds[name], value) if name in kinds else value
    return given


def _typed(question: "Question", value: str) -> object:
    """Return a word as the question takes it; as it is where it takes no such word."""
    from decimal import Decimal, InvalidOperation

    if question.is_yes_no and value in {"yes", "no"}:
        return value == "yes"
    if question.grid is None:
        return value
    try:
        return int(value) if question.grid.whole else Decimal(value)
    except (ValueError, InvalidOperation):
        return value


def _tell(client: "Client", survey: "Survey", sent: "FlushResult", *, as_json: bool) -> None:
    spent = client.status().publisher
    told: dict[str, object] = {
        "survey": survey.id,
        "sent": sent.sent,
        "pending": sent.pending,
        "refused": sent.quarantined,
        "odds": str(spent.odds),
        "cap": str(spent.cap),
    }
    text = f"{sent.sent} report(s) sent to {survey.id}, {sent.pending} waiting on this device."
    emit(told, text, as_json=as_json)
    if not as_json:
        note(f"Spent with this publisher: odds {spent.odds}:1 of {spent.cap}:1, for life.")
    if sent.reason is not None:
        kind = Unreachable if sent.reason in {"offline", "tls", "not-our-server"} else Failure
        raise kind(f"not everything was sent. {sent.explanation}")


def _failure(error: "ClientError") -> Failure:
    from tossup.client import Outcome

    refused = {Outcome.REFUSED_CAP, Outcome.ALREADY_ANSWERED, Outcome.REFUSED_MANIFEST}
    if error.outcome in refused | {Outcome.NO_CONSENT, Outcome.LEDGER_DAMAGED}:
        return RefusedForPrivacy(str(error))
    if error.outcome is Outcome.UNREACHABLE:
        return Unreachable(str(error))
    return Failure(str(error))
