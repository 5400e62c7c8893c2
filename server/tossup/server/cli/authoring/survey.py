"""``tossup survey``: check, create and sign the survey of a file; the others come with it."""

import tomllib
from dataclasses import asdict, replace
from decimal import Decimal
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tossup.server.cli.api import Server, key_option, url_option
from tossup.server.cli.authoring.changed import changed_promise_option, check_promises
from tossup.server.cli.authoring.described import asked_in_lines, describe
from tossup.server.cli.authoring.meaning import declared, same_meaning_option, topics_in_words
from tossup.server.cli.authoring.promises import cost_to_json
from tossup.server.cli.authoring.published import entry_of, manifest_of, surveys_of, versions_of
from tossup.server.cli.authoring.publisher import (
    load,
    load_or_create,
    new_key_option,
    publisher_option,
)
from tossup.server.cli.authoring.standing import close, delete, list_surveys, reopen, show
from tossup.server.cli.authoring.survey_file import read_survey, read_text
from tossup.server.cli.authoring.told import (
    cautions,
    check_slack,
    explain_option,
    labels,
    mixed_option,
    note_created,
    note_explained,
    slack_option,
)
from tossup.server.cli.output import Failure, emit, json_option, note

if TYPE_CHECKING:
    from tossup.shared.survey import Survey


@click.group(commands=[close, delete, list_surveys, reopen, show])
def survey() -> None:
    """Check, create, list, show, close, reopen and delete surveys."""


@survey.command()
@click.argument("file", type=click.File("rb"))
@click.option("--next-version", is_flag=True, help="Replace the survey's current version.")
@same_meaning_option
@changed_promise_option
@explain_option
@slack_option
@mixed_option
@publisher_option
@new_key_option
@url_option
@key_option
@json_option
def create(
    *,
    file: Any,
    next_version: bool,
    same_meaning: tuple[str, ...],
    changed: tuple[str, ...],
    explain: bool,
    slack: Decimal,
    mixed: int,
    publisher_key: Path,
    new_publisher_key: bool,
    url: str,
    api_key_file: Path | None,
    as_json: bool,
) -> None:
    """Sign the survey in FILE (TOML) and publish it; print the link for respondents.

    Creating the same survey again changes nothing. A next version shows what it says otherwise
    than before under the same ids, and is refused unless --same-meaning says so for each. Where it
    makes private results public, keeps reports longer or changes the linkage, it is refused unless
    --changed-promise says so.

    With --explain it tells what answers cost: first what each costs whomever one trusts, then all
    together by every bound, then what mixing would add for those who trust whoever mixes.
    """
    from tossup.server.kinds import reasons
    from tossup.server.surveys.link import respondent_link
    from tossup.shared.signing import public_bytes, sign_manifest
    from tossup.shared.wire import MANIFEST_TYPE

    server = Server.of(url, api_key_file)
    text = read_text(file)
    if not publisher_key.exists():
        read_survey(text, bytes(32))  # a file that is wrong founds no publisher
    check_slack(slack)
    if (same_meaning or changed) and not next_version:
        option = "--same-meaning" if same_meaning else "--changed-promise"
        raise click.UsageError(f"{option} goes with --next-version")
    key = load_or_create(publisher_key, new_publisher=new_publisher_key)
    made = _load(text, public_bytes(key), server, next_version=next_version, same=same_meaning)
    if next_version:
        check_promises(made, manifest_of(server, str(made.previous)), changed)
    unchanged = made.digest in {entry["manifest"] for entry in surveys_of(server)}
    shared: list[dict[str, Any]] = []
    if not unchanged:
        # The file was checked against its own question_cap, and its author was told.
        cap = max([1, *(ceil(made.cost(question)) for question in made.questions)])
        path = f"/v1/surveys?question_cap={cap}"
        answer = server.post(path, sign_manifest(made.payload, key), MANIFEST_TYPE)
        shared = answer.get("shared_topics", [])
    link = respondent_link(url, made)
    cost = cost_to_json(made, slack, mixed)
    told = {"survey": made.id, "version": made.version, "link": link, "unchanged": unchanged}
    told |= {"same_meaning": list(made.same_meaning), "shared_topics": shared}
    told["options"] = labels(made)
    why = reasons(made)
    emit({**told, "cost": cost, "reasons": why}, link, as_json=as_json)
    for line in [*cautions(made), *topics_in_words(shared)]:
        note(line)
    if explain and not as_json:
        note_explained(cost, why)
    if not as_json:
        note_created(made, link, "Unchanged" if unchanged else "Created")


@survey.command()
@click.argument("file", type=click.File("rb"))
@same_meaning_option
@changed_promise_option
@explain_option
@slack_option
@mixed_option
@publisher_option
@url_option
@key_option
@json_option
def check(
    *,
    file: Any,
    same_meaning: tuple[str, ...],
    changed: tuple[str, ...],
    explain: bool,
    slack: Decimal,
    mixed: int,
    publisher_key: Path,
    url: str,
    api_key_file: Path | None,
    as_json: bool,
) -> None:
    """Say of the survey in FILE (TOML) what creating it would say, and publish nothing.

    No server and no publisher's key are needed. Where a server answers that holds the survey, the
    file is compared with its versions, as create --next-version would. With the key, topics that
    other surveys of the publisher ask there are named, too.
    """
    from tossup.server.kinds import reasons
    from tossup.shared.signing import public_bytes

    text = read_text(file)
    check_slack(slack)
    key = public_bytes(load(publisher_key)) if publisher_key.exists() else None
    made = read_survey(text, key or bytes(32))
    described = describe(made)
    server = Server.of(url, api_key_file)
    compared = _compared(text, key, server, same_meaning, changed)
    shared = _shared_topics(made, server)
    cost, why = cost_to_json(made, slack, mixed), reasons(made)
    found: dict[str, Any] = described | {"options": labels(made), "compared": compared}
    found |= {"shared_topics": shared, "cost": cost, "reasons": why}
    emit(found, "\n".join(asked_in_lines(made, described)), as_json=as_json)
    for line in [*cautions(made), *topics_in_words(shared)]:
        note(line)
    if explain and not as_json:
        note_explained(cost, why)
    if not as_json:
        note(f"{compared['as']}. Nothing was published.")
        again = "--next-version " if compared["version"] else ""
        note(f"Next: tossup survey create {again}{file.name}")


def _compared(
    text: str, key: bytes | None, server: Server, same: tuple[str, ...], changed: tuple[str, ...]
) -> dict[str, Any]:
    """Return what a file would be on the server: new, a next version, or what is there.

    Parameters
    ----------
    key
        The publisher's public key; None for that of the versions on the server.

    Raises
    ------
    Failure
        If the server would refuse it as a next version.
    """
    survey_id = read_survey(text, bytes(32)).id
    try:
        entry = next((entry for entry in surveys_of(server) if entry["id"] == survey_id), None)
        earlier = versions_of(server, entry["manifest"]) if entry else []
    except Failure as failure:
        return {"version": None, "as": f"Compared with no earlier version: {failure.message}"}
    if not earlier:
        return {"version": None, "as": f"The server has no survey {survey_id} yet"}
    before = earlier[0]
    if key is not None:
        _check_publisher(before, key)
    first = read_survey(text, before.publisher.key)
    if _as_version_of(first, text, before).digest == before.digest:
        return {"version": None, "as": f"The same as version {before.version} on the server"}
    version = before.version + 1
    later = read_survey(text, before.publisher.key, version=version, previous=before.digest)
    declared(later, earlier, same)
    check_promises(later, before, changed)
    return {"version": version, "as": f"It would be version {version} of {survey_id}"}


def _shared_topics(made: "Survey", server: Server) -> list[dict[str, Any]]:
    """Return the topics that other surveys of the publisher ask; none where no server says."""
    from tossup.server.surveys.topics import shared_topics

    try:
        entries = [entry for entry in surveys_of(server) if entry["id"] != made.id]
        others = [
            version for entry in entries for version in versions_of(server, entry["manifest"])
        ]
    except Failure:
        return []  # `_compared` says that nothing was compared
    return [asdict(topic) for topic in shared_topics(made, others)]


@survey.command()
@click.argument("file", type=click.File("rb"))
@click.option("--version", type=click.IntRange(1), default=1, show_default=True,
              help="Of a next version: its number.")  # fmt: skip
@click.option("--previous", help="Of a next version: the digest of the version before.")
@same_meaning_option
@publisher_option
@new_key_option
@json_option
def sign(
    *,
    file: Any,
    version: int,
    previous: str | None,
    same_meaning: tuple[str, ...],
    publisher_key: Path,
    new_publisher_key: bool,
    as_json: bool,
) -> None:
    """Sign the survey in FILE (TOML) and print it, to be published where the key never goes.

    No server is needed. The page that publishes a draft names the options, and takes what is
    printed here.
    """
    from tossup.shared.errors import ManifestError
    from tossup.shared.signing import public_bytes, sign_manifest

    text = read_text(file)
    read_survey(text, bytes(32), version=version, previous=previous)  # a wrong file founds no key
    key = load_or_create(publisher_key, new_publisher=new_publisher_key)
    made = read_survey(text, public_bytes(key), version=version, previous=previous)
    try:
        made = replace(made, same_meaning=tuple(sorted(set(same_meaning))))
    except ManifestError as error:
        raise Failure(f"--same-meaning: {error}") from error
    signed = sign_manifest(made.payload, key).decode()
    told = {"survey": made.id, "version": made.version, "manifest": made.digest, "signed": signed}
    emit(told, signed, as_json=as_json)


def _load(
    text: str, key: bytes, server: Server, *, next_version: bool, same: tuple[str, ...]
) -> "Survey":
    """Return the survey to publish: the current version itself where the file says the same."""
    first = read_survey(text, key)
    if not next_version:
        return _current_if_same(first, text, server)
    current = entry_of(server, first.id)
    earlier = versions_of(server, current["manifest"])
    _check_publisher(earlier[0], key)
    if _as_version_of(first, text, earlier[0]).digest == current["manifest"]:
        raise Failure(
            f"the file says the same as version {current['version']} of {first.id}",
            "change the file first, or leave --next-version out",
        )
    made = read_survey(text, key, version=current["version"] + 1, previous=current["manifest"])
    return declared(made, earlier, same)


def _check_publisher(before: "Survey", key: bytes) -> None:
    """Refuse a next version by another key than the one that devices pinned."""
    if key != before.publisher.key:
        raise Failure(
            f"version {before.version} of {before.id} is signed by another publisher's key, and"
            " devices that have it take no other",
            "name that key with --publisher-key; where it is lost, publish under another id",
        )


def _current_if_same(first: "Survey", text: str, server: Server) -> "Survey":
    """Return the current version if the survey says the same, else the survey as it is."""
    for entry in surveys_of(server):
        if entry["id"] == first.id and entry["manifest"] != first.digest:
            again = _as_version_of(first, text, manifest_of(server, entry["manifest"]))
            return again if again.digest == entry["manifest"] else first
    return first


def _as_version_of(survey: "Survey", text: str, current: "Survey") -> "Survey":
    """Return the survey of a file as a version that may be of the same file.

    A file that does not state late_days means what it meant when the version was made: surveys
    had none once.
    """
    states_late_days = "late_days" in tomllib.loads(text)
    return replace(
        survey,
        late_days=survey.late_days if states_late_days or not survey.closes else current.late_days,
        version=current.version,
        previous=current.previous,
        same_meaning=current.same_meaning,
    )
