"""``tossup device``: this machine as a respondent's device, and what its owner may ask of it."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
from click.core import ParameterSource

from tossup.server.cli.output import (
    Failure,
    Number,
    RefusedForPrivacy,
    Unreachable,
    emit,
    json_option,
    note,
)

if TYPE_CHECKING:
    from tossup.client import Client, FlushResult, Status, WaveStatus
    from tossup.client.errors import ClientError


def _absolute(context: click.Context, option: click.Parameter, store: Path | None) -> Path | None:
    """Return a path given on the command line from the shell's folder; refuse others' relative."""
    if store is None or store.is_absolute() or store.parts[0].startswith("~"):
        return store
    if context.get_parameter_source(str(option.name)) is ParameterSource.ENVIRONMENT:
        raise click.UsageError(
            "TOSSUP_STORE must be an absolute path: by a relative one, every folder would have a"
            " ledger of its own, and answers would be tossed again"
        )
    return store.absolute()


store_option: Callable[[Any], Any] = click.option(
    "--store", envvar="TOSSUP_STORE", type=click.Path(path_type=Path), callback=_absolute,
    show_default="tossup/device.db in the user's data folder", show_envvar=True,
    help="The device's ledger and outbox.",
)  # fmt: skip


wave_option: Callable[[Any], Any] = click.option(
    "--wave", type=click.IntRange(1, 256),
    help="In a survey with waves: which one this is for. By default today's (UTC).",
)  # fmt: skip


_QUESTION_CAP: Final = Fraction(9)

question_cap_option: Callable[[Any], Any] = click.option(
    "--question-cap", type=Number(Fraction), default=_QUESTION_CAP, show_default=True,
    metavar="ODDS", help="The most that one question may ever cost, over all of its waves.",
)  # fmt: skip


def pairs_of(answers: Sequence[str]) -> dict[str, str]:
    """Return what NAME=VALUE arguments say; what is none of them is a wrong usage."""
    pairs: dict[str, str] = {}
    for pair in answers:
        name, equals, value = pair.partition("=")
        if not equals:
            raise click.UsageError("answers are written QUESTION=ANSWER")
        if name in pairs:
            raise click.UsageError(f"{name} is answered twice")
        pairs[name] = value
    return pairs


@click.group()
def device() -> None:
    """See, send and withdraw what this device holds."""


@device.command()
@click.argument("link")
@store_option
@json_option
def status(*, link: str, store: Path | None, as_json: bool) -> None:
    """Show what is stored for the survey at LINK, and what has been spent for life."""
    with opened(link, store) as client:
        found = client.status()
    emit(_value(found), _text(found), as_json=as_json)


@device.command()
@click.argument("link")
@click.option("--force", is_flag=True, help="Do not wait for the next try to be due.")
@store_option
@json_option
def flush(*, link: str, force: bool, store: Path | None, as_json: bool) -> None:
    """Send what waits for the survey at LINK: reports, and withdrawals of reports."""
    with opened(link, store) as client:
        _tell(client.flush(force=force), as_json=as_json)


@device.command()
@click.argument("link")
@click.argument("attributes", nargs=-1, metavar="[ATTRIBUTE=OPTION]...")
@store_option
@wave_option
@json_option
def repeat(
    *, link: str, attributes: tuple[str, ...], store: Path | None, wave: int | None, as_json: bool
) -> None:
    """Report again to the survey at LINK, in this wave, what was tossed in an earlier one.

    For surveys that toss once for life. Nobody is asked, and nothing more is spent: the report
    is made from what this device keeps, which is randomized. Public attributes are given anew.
    """
    with opened(link, store) as client:
        client.survey()
        client.repeat(pairs_of(attributes), wave)
        _tell(client.flush(force=True), as_json=as_json)


@device.command()
@click.argument("link")
@store_option
@json_option
def withdraw(*, link: str, store: Path | None, as_json: bool) -> None:
    """Take no more part in the survey at LINK, and have sent reports withdrawn.

    What was spent stays spent: a report that may have been seen cannot be unseen.
    """
    with opened(link, store) as client:
        client.withdraw()
        _tell(client.flush(force=True), as_json=as_json)


@device.command()
@click.argument("link")
@store_option
@json_option
def consent(*, link: str, store: Path | None, as_json: bool) -> None:
    """Take part again in the survey at LINK, after a withdrawal."""
    with opened(link, store) as client:
        client.consent(True)  # noqa: FBT003 - it is the answer to a question
    emit({"consent": True}, "This device takes part again.", as_json=as_json)


@contextmanager
def opened(
    link: str, store: Path | None, question_cap: Fraction = _QUESTION_CAP
) -> Iterator["Client"]:
    """Open a survey on the device, and tell what goes wrong in the words of the command line.

    Raises
    ------
    Failure
        If the SDK refuses or fails.
    """
    from tossup.client import Client
    from tossup.client.errors import ClientError

    try:
        yield Client(link, store=store, strict=True, question_cap=question_cap)
    except ClientError as error:
        raise _failure(error) from None


def fail_if_waiting(sent: "FlushResult") -> None:
    """Raise a failure if a flush left something unsent."""
    if sent.reason is None:
        return
    elsewhere = sent.reason.startswith("http-")
    if elsewhere or sent.reason in {"offline", "tls", "not-our-server"}:
        raise Unreachable(f"not everything was sent. {sent.explanation}", _FLUSH)
    if sent.reason == "waiting":
        seconds = sent.retry_after_seconds
        raise Failure(f"an upload failed before; the next try is due in {seconds} s", _FLUSH)
    raise Failure(f"not everything was sent. {sent.explanation}", _FLUSH)


_FLUSH = "tossup device flush --force LINK"


def _failure(error: "ClientError") -> Failure:
    from tossup.client import Outcome

    for_privacy = {
        Outcome.ALREADY_ANSWERED: "",
        Outcome.REFUSED_MANIFEST: "",
        Outcome.LEDGER_DAMAGED: "",
        Outcome.REFUSED_CAP: "tossup device status LINK; or tossup answer --question-cap ODDS",
        Outcome.ODDS_RAISED: "the same command without --yes, which shows the new odds",
    }
    match error.outcome:
        case Outcome.UNREACHABLE:
            return Unreachable(str(error))
        case Outcome.NO_CONSENT:
            return RefusedForPrivacy(
                "this device has withdrawn from the survey; nothing was tossed",
                "tossup device consent LINK",
            )
        case Outcome.PREVIEW_AGAIN:
            return RefusedForPrivacy(
                "the survey has another version now than the one that was asked here; nothing was"
                " tossed",
                "the same command again, which asks by the new version",
            )
        case Outcome.NOT_ASKED:
            return Failure(str(error), "tossup device status LINK")
        case outcome if outcome in for_privacy:
            return RefusedForPrivacy(str(error), for_privacy[outcome])
        case _:
            return Failure(str(error))


def _tell(sent: "FlushResult", *, as_json: bool) -> None:
    told = {
        "sent": sent.sent,
        "withdrawn": sent.withdrawn,
        "pending": sent.pending,
        "refused": sent.quarantined,
        "unwithdrawn": sent.unwithdrawn,
    }
    emit(
        told,
        f"{sent.sent} report(s) sent, {sent.withdrawn} withdrawn, {sent.pending} waiting.",
        as_json=as_json,
    )
    if sent.reason is None and not as_json:
        note(sent.explanation)
    fail_if_waiting(sent)


def _value(found: "Status") -> dict[str, object]:
    from tossup.shared.figures import in_full

    return {
        "pending": found.pending,
        "sent": found.sent,
        "withdrawing": found.withdrawing,
        "unwithdrawn": found.unwithdrawn,
        "refused": dict(found.quarantined),
        "odds": in_full(found.publisher.odds),
        "cap": in_full(found.publisher.cap),
        "device_odds": in_full(found.device.odds),
        "device_cap": in_full(found.device.cap),
        "delta": in_full(found.publisher.delta),
        "device_delta": in_full(found.device.delta),
        "delta_cap": in_full(found.device.delta_cap),
        "topics": list(found.answered_topics),
        "consent": found.consent,
        "closed": found.closed,
        "problem": found.problem,
        "retry_after_seconds": found.retry_after_seconds,
        "waves": found.waves and found.waves._asdict(),
        "raised": list(found.raised),
    }


def _of_waves(waves: "WaveStatus") -> str:
    on = "no wave is on today" if waves.now is None else f"wave {waves.now} is on"
    asked = f"asked in {len(waves.asked_in)} of {waves.last}"
    if len(waves.asked_in) < waves.last:
        asked += f" ({', '.join(map(str, waves.asked_in))})"
    ask, again = (", ".join(names) or "nothing" for names in (waves.to_ask, waves.to_repeat))
    return f"Waves: {on}; {asked}. To ask now: {ask}. To repeat now: {again}"


def _text(found: "Status") -> str:
    spent, whole = found.publisher, found.device
    lines = [
        f"{found.pending} report(s) waiting, {found.sent} sent, {found.withdrawing} to withdraw",
        f"Spent with this publisher: {spent}",
        f"Spent on this device: {whole}",
        f"Topics answered: {', '.join(found.answered_topics) or 'none'}",
    ]
    if found.waves is not None:
        lines.append(_of_waves(found.waves))
    lines += [f"{n} report(s) refused: {code}" for code, n in found.quarantined.items()]
    if found.unwithdrawn:
        lines.append(f"{found.unwithdrawn} report(s) that the server would not withdraw")
    if found.raised:
        lines.append(
            f"A new version costs more or promises less for these: {', '.join(found.raised)}"
        )
    if found.problem is not None:
        lines.append(f"The last upload failed: {found.problem}")
    if found.consent is False:
        lines.append("Withdrawn: this device takes no part any more")
    return "\n".join(lines)
