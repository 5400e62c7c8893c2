"""``tossup survey``: list, show, close, reopen and delete the surveys of a server."""

from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import click

from tossup.server.cli.api import Server, key_option, survey_argument, url_option
from tossup.server.cli.authoring.described import asked_in_lines, describe
from tossup.server.cli.authoring.published import DAMAGED, entry_of, listed, manifest_of
from tossup.server.cli.output import Failure, emit, json_option, note, table
from tossup.server.cli.reading.results import answers_by_question, results_path

if TYPE_CHECKING:
    from tossup.shared.survey import Survey


@click.command(name="list")
@url_option
@key_option
@json_option
def list_surveys(*, url: str, api_key_file: Path | None, as_json: bool) -> None:
    """List the surveys of the server.

    Respondents are known where each sends one report: a survey with one question, or whose answers
    travel together, without waves, and with the same topics in all versions.
    """
    found = listed(Server.of(url, api_key_file))
    rows = [
        {
            **entry,
            "survey": entry["id"],
            "respondents": _people(entry.get("respondents")),
            "title": next(iter(entry["title"].values())),
        }
        for entry in found["surveys"]
    ]
    text = (
        table(rows, ["survey", "state", "respondents", "reports", "title"])
        if rows
        else "No survey yet."
    )
    emit(found, text, as_json=as_json)
    for name in found.get("damaged", ()):
        note(f"The survey {name} is damaged; {DAMAGED}.")
    if not rows and not as_json:
        note("Try: tossup survey create FILE.toml")


def _people(respondents: int | None) -> str:
    """Return how many answered; servers of an earlier version do not say."""
    return "not known" if respondents is None else str(respondents)


@click.command()
@survey_argument
@url_option
@key_option
@json_option
def show(*, survey_id: str, url: str, api_key_file: Path | None, as_json: bool) -> None:
    """Show what SURVEY asks, what it costs, and the link for respondents."""
    from tossup.server.surveys.link import respondent_link

    server = Server.of(url, api_key_file)
    entry = entry_of(server, survey_id)
    shown = manifest_of(server, entry["manifest"])
    described = {**describe(shown), "link": respondent_link(url, shown)}
    described |= {key: entry[key] for key in ("state", "reports", "manifest")}
    emit(described, _as_text(shown, described), as_json=as_json)


@click.command()
@survey_argument
@click.option("--yes", "agreed", is_flag=True, help="Do not ask before.")
@url_option
@key_option
@json_option
def close(
    *, survey_id: str, agreed: bool, url: str, api_key_file: Path | None, as_json: bool
) -> None:
    """Close SURVEY now; its estimates stay.

    Nothing is counted or withdrawn from now on, also nothing that devices have tossed and not
    sent yet. To end it in good order, publish a next version that closes today instead: what was
    tossed in time is then counted for late_days more.
    """
    server = Server.of(url, api_key_file)
    if not agreed:
        reports = entry_of(server, survey_id)["reports"]
        note(f"{survey_id} has {reports} reports. What devices still hold for it is never counted.")
        click.confirm(f"Close {survey_id} now?", abort=True, err=True)
    answer = server.post(f"/v1/surveys/{quote(survey_id, safe='')}/close")
    emit(answer, f"{survey_id} is closed.", as_json=as_json)


@click.command()
@survey_argument
@url_option
@key_option
@json_option
def reopen(*, survey_id: str, url: str, api_key_file: Path | None, as_json: bool) -> None:
    """Open SURVEY again, which was closed by hand, until its last day.

    What devices sent meanwhile was refused, and stays so. One whose last day is over, or whose
    single reports were deleted, stays closed.
    """
    server = Server.of(url, api_key_file)
    answer = server.post(f"/v1/surveys/{quote(survey_id, safe='')}/reopen")
    emit(answer, f"{survey_id} is {answer['state']}.", as_json=as_json)


@click.command()
@survey_argument
@click.option("--force", is_flag=True, help="Delete it although reports are lost by it.")
@click.option("--yes", "agreed", is_flag=True, help="With --force: do not ask before.")
@url_option
@key_option
@json_option
def delete(
    *,
    survey_id: str,
    force: bool,
    agreed: bool,
    url: str,
    api_key_file: Path | None,
    as_json: bool,
) -> None:
    """Delete SURVEY for good, if it has no reports; with --force with all that it has.

    What would be lost is said first, question by question, and asked. Its id is never taken again,
    and devices that still have reports for it are told that it was deleted.
    """
    server = Server.of(url, api_key_file)
    reports = entry_of(server, survey_id)["reports"]
    if reports:
        results = server.get(results_path(survey_id), "questions")
        lost = ", ".join(f"{name} {n}" for name, n in answers_by_question(results).items())
        loss = f"{reports} reports would be lost: {lost}"
        if not force:
            raise Failure(
                f"{survey_id} has reports. {loss}",
                f"tossup export {survey_id} -o FILE; then tossup survey delete --force {survey_id}",
            )
        note(f"{loss}. The devices that sent them answer no such topic again.")
        if not agreed:
            click.confirm(f"Delete {survey_id} for good?", abort=True, err=True)
    path = f"/v1/surveys/{quote(survey_id, safe='')}?losing={reports}"
    answer = server.delete(path)
    emit(answer, f"{survey_id} is deleted; its id is not taken again.", as_json=as_json)


def _as_text(survey: "Survey", described: dict[str, Any]) -> str:
    head = (
        f"{described['survey']}, version {described['version']}, {described['state']},"
        f" {described['reports']} reports"
    )
    signed = ", ".join(described["same_meaning"])
    same = [f"Signed to mean the same as before: {signed}"] if signed else []
    return "\n".join(
        [head, *asked_in_lines(survey, described), *same, f"Link: {described['link']}"]
    )
