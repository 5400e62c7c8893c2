"""``tossup survey``: create, list, show and close surveys on a server."""

from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import click

from tossup.server.cli.api import Refused, Server, key_option, survey_argument, url_option
from tossup.server.cli.meaning import declared, same_meaning_option, topics_in_words
from tossup.server.cli.output import Failure, Number, emit, json_option, note, table
from tossup.server.cli.promises import cost_as_text, cost_to_json
from tossup.server.cli.publisher import load_or_create, new_key_option, publisher_option
from tossup.server.cli.survey_file import read_survey, read_text

if TYPE_CHECKING:
    from tossup.shared.survey import Attribute, Question, Survey


@click.group()
def survey() -> None:
    """Create, list, show and close surveys."""


@survey.command()
@click.argument("file", type=click.File("rb"))
@click.option("--next-version", is_flag=True, help="Replace the survey's current version.")
@same_meaning_option
@click.option(
    "--slack", type=Number(Decimal), default="1e-6", show_default=True,
    help="Delta that bounds on all answers together may add; at 0, epsilons only add up.",
)  # fmt: skip
@click.option(
    "--mixed", type=click.IntRange(1, 10**9), default=10_000, show_default=True, metavar="REPORTS",
    help="How many reports are mixed, for the figure that trusts whoever mixes them.",
)  # fmt: skip
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
    than before under the same ids, and is refused unless --same-meaning says so for each.

    What answers cost is told too: first what each costs whomever one trusts, then all together by
    every bound, then what mixing would add for those who trust whoever mixes.
    """
    from tossup.server.reasons import reasons
    from tossup.shared.signing import public_bytes, sign_manifest
    from tossup.shared.wire import MANIFEST_TYPE

    server = Server.of(url, api_key_file)
    text = read_text(file)
    if not publisher_key.exists():
        read_survey(text, bytes(32))  # a file that is wrong founds no publisher
    _check_slack(slack)
    if same_meaning and not next_version:
        raise click.UsageError("--same-meaning goes with --next-version")
    key = load_or_create(publisher_key, new_publisher=new_publisher_key)
    made = _load(text, public_bytes(key), server, next_version=next_version, same=same_meaning)
    unchanged = made.digest in {entry["manifest"] for entry in _surveys(server)}
    shared: list[dict[str, Any]] = []
    if not unchanged:
        answer = server.post("/v1/surveys", sign_manifest(made.payload, key), MANIFEST_TYPE)
        shared = answer.get("shared_topics", [])
    link = respondent_link(url, made)
    cost = cost_to_json(made, slack, mixed)
    told = {"survey": made.id, "version": made.version, "link": link, "unchanged": unchanged}
    told |= {"same_meaning": list(made.same_meaning), "shared_topics": shared}
    told["options"] = _labels(made)
    emit({**told, "cost": cost, "reasons": reasons(made)}, link, as_json=as_json)
    for line in [*_cautions(made), *topics_in_words(shared)]:
        note(line)
    if not as_json:
        note(cost_as_text(cost))
        _note_created(made, link, "Unchanged" if unchanged else "Created")


@survey.command(name="list")
@url_option
@key_option
@json_option
def list_(*, url: str, api_key_file: Path | None, as_json: bool) -> None:
    """List the surveys of the server."""
    surveys = _surveys(Server.of(url, api_key_file))
    rows = [
        {**entry, "survey": entry["id"], "title": next(iter(entry["title"].values()))}
        for entry in surveys
    ]
    text = table(rows, ["survey", "state", "reports", "title"]) if rows else "No survey yet."
    emit({"surveys": surveys}, text, as_json=as_json)
    if not rows and not as_json:
        note("Try: tossup survey create FILE.toml")


@survey.command()
@survey_argument
@url_option
@key_option
@json_option
def show(*, survey_id: str, url: str, api_key_file: Path | None, as_json: bool) -> None:
    """Show what SURVEY asks, what it costs, and the link for respondents."""
    server = Server.of(url, api_key_file)
    entry = _entry(server, survey_id)
    shown = _manifest(server, entry["manifest"])
    described = {**_describe(shown), "link": respondent_link(url, shown)}
    described |= {key: entry[key] for key in ("state", "reports", "manifest")}
    emit(described, _as_text(described), as_json=as_json)


@survey.command()
@survey_argument
@url_option
@key_option
@json_option
def close(*, survey_id: str, url: str, api_key_file: Path | None, as_json: bool) -> None:
    """Close SURVEY now and for good; its estimates stay.

    Nothing is counted or withdrawn from now on, also nothing that devices have tossed and not
    sent yet. To end it in good order, publish a next version that closes today instead: what was
    tossed in time is then counted for late_days more.
    """
    answer = Server.of(url, api_key_file).post(f"/v1/surveys/{quote(survey_id, safe='')}/close")
    emit(answer, f"{survey_id} is closed.", as_json=as_json)


def _check_slack(slack: Decimal) -> None:
    from tossup.shared.accounting.rounding import checked_probability
    from tossup.shared.errors import AccountingError

    try:
        checked_probability(slack, "--slack")
    except AccountingError as error:
        raise click.UsageError(str(error)) from error


def _note_created(made: "Survey", link: str, done: str) -> None:
    from tossup.server.reasons import reasons

    for question, why in reasons(made).items():
        note(f"{question}: {why}.")
    note(f"{done}: {made.id}, version {made.version}. Respondents answer at the link above:")
    note(f"  tossup answer '{link}'")
    note(f"  tossup estimate {made.id}")


def _labels(survey: "Survey") -> dict[str, dict[str, str]]:
    """Return the labels of all options by their ids, by question or attribute, in one language."""
    language = survey.languages[0]
    parts: tuple[Question | Attribute, ...] = (*survey.questions, *survey.asked_attributes)
    return {p.id: {o.id: o.label[language] for o in p.options} for p in parts if p.options}


def _ids_by_place(survey: "Survey") -> list[str]:
    """Return a line for each question whose options have ids that their labels do not tell."""
    from tossup.server.labels import is_made_by_place

    lines = []
    for part, labels in _labels(survey).items():
        ids = [f"{name} = {label}" for name, label in labels.items() if is_made_by_place(name)]
        shown = [*ids[:8], f"and {len(ids) - 8} more"] if len(ids) > 9 else ids
        if ids:
            lines.append(f"Ids of {part}: {', '.join(shown)}.")
    return lines


def _cautions(survey: "Survey") -> list[str]:
    """Return what the publisher may not have meant."""
    from tossup.server.designs import minimum_batch

    cautions = _ids_by_place(survey)
    if survey.closes is not None and survey.closes < datetime.now(UTC).date():
        cautions.append(f"Note: it closed on {survey.closes}, which is past; it takes no report.")
    usual = minimum_batch(question.mechanism for question in survey.questions)
    if survey.results == "public" and survey.minimum_batch < usual:
        cautions.append(
            f"Note: anyone can see estimates from {survey.minimum_batch} reports on; below {usual}"
            " their intervals are wider than 20 points either way, and say little."
            " (The coins protect as always; minimum_batch protects nobody.)"
        )
    return cautions


def respondent_link(url: str, survey: "Survey") -> str:
    """Return the link for respondents: the survey's address and the key that devices pin."""
    from tossup.shared.signing import b64url

    return f"{url.rstrip('/')}/v1/surveys/{survey.id}#key={b64url(survey.publisher.key)}"


def _load(
    text: str, key: bytes, server: Server, *, next_version: bool, same: tuple[str, ...]
) -> "Survey":
    """Return the survey to publish: the current version itself where the file says the same."""
    first = read_survey(text, key)
    if not next_version:
        return _current_if_same(first, server)
    current = _entry(server, first.id)
    earlier = _versions(server, current["manifest"])
    if _as_version_of(first, earlier[0]).digest == current["manifest"]:
        raise Failure(
            f"the file says the same as version {current['version']} of {first.id}",
            "change the file first, or leave --next-version out",
        )
    made = read_survey(text, key, version=current["version"] + 1, previous=current["manifest"])
    return declared(made, earlier, same)


def _current_if_same(first: "Survey", server: Server) -> "Survey":
    """Return the current version if the survey says the same, else the survey as it is."""
    for entry in _surveys(server):
        if entry["id"] == first.id and entry["version"] > 1:
            again = _as_version_of(first, _manifest(server, entry["manifest"]))
            return again if again.digest == entry["manifest"] else first
    return first


def _as_version_of(survey: "Survey", current: "Survey") -> "Survey":
    return replace(
        survey,
        version=current.version,
        previous=current.previous,
        same_meaning=current.same_meaning,
    )


def _surveys(server: Server) -> list[dict[str, Any]]:
    surveys: list[dict[str, Any]] = server.get("/v1/surveys", "surveys")["surveys"]
    return surveys


def _entry(server: Server, survey_id: str) -> dict[str, Any]:
    for entry in _surveys(server):
        if entry["id"] == survey_id:
            return entry
    raise Refused(404, "survey-unknown", f"no survey {survey_id} here", "tossup survey list")


def _manifest(server: Server, digest: str) -> "Survey":
    """Return the survey of a manifest, after checking that it is the one named."""
    from tossup.shared import strict_json
    from tossup.shared.errors import TossupError
    from tossup.shared.signing import MAX_ENVELOPE_BYTES, unb64url, verify_manifest
    from tossup.shared.survey import Survey
    from tossup.shared.wire import MANIFEST_TYPE

    envelope = server.get_bytes(f"/v1/manifests/{digest}", MANIFEST_TYPE)
    try:
        claimed: Any = strict_json.loads(envelope, MAX_ENVELOPE_BYTES)
        shown = Survey.parse(unb64url(claimed["payload"]))
        payload = verify_manifest(envelope, shown.publisher.key)
    except (TossupError, LookupError, TypeError) as error:
        raise server.stranger() from error
    if sha256(payload).hexdigest() != digest:
        raise Failure(f"the server answered another manifest than {digest}")
    return shown


def _versions(server: Server, digest: str | None) -> "list[Survey]":
    """Return a manifest and all that came before it, newest first."""
    found: list[Survey] = []
    while digest is not None:
        found.append(_manifest(server, digest))
        digest = found[-1].previous
    return found


def _describe(survey: "Survey") -> dict[str, Any]:
    from tossup.server.results.minimum import minimum_for
    from tossup.shared.accounting import epsilon

    return {
        "survey": survey.id,
        "version": survey.version,
        "title": dict(survey.title),
        "odds": str(survey.odds),
        "epsilon": str(epsilon(survey.odds)),
        "delta": str(survey.delta),
        "minimum_batch": survey.minimum_batch,
        "questions": [
            {
                "id": question.id,
                "text": dict(question.text),
                **_answers(question),
                "odds": str(survey.cost(question)),
                "delta": str(survey.chance(question)),
                "minimum": minimum_for(question, survey),
            }
            for question in survey.questions
        ],
        "attributes": [
            {"id": attribute.id, "options": [option.id for option in attribute.options]}
            for attribute in survey.asked_attributes
        ],
        "waves": survey.waves and survey.waves.to_json(),
        "same_meaning": list(survey.same_meaning),
    }


def _answers(question: "Question") -> dict[str, object]:
    domain = question.domain
    answers: dict[str, object] = {"answers": list(question.answer_ids)}
    if domain is None:
        return answers
    return (answers if domain.options else {}) | {domain.field: domain.to_json()}


def _choices(question: dict[str, Any]) -> str:
    """Return the answers that a question takes, on one line."""
    if "ranking" in question:
        return f"an order of {' | '.join(question['answers'])}"
    if "several" in question:
        return f"{' | '.join(question['answers'])}, at most {question['several']['most']} of them"
    if vector := question.get("vector") or question.get("moments"):
        products = ", and their products" if "moments" in question else ""
        names = ", ".join(question["answers"])
        return f"numbers for {names}{products}; longer than {vector['norm']} count as that long"
    if "answers" in question:
        return " | ".join(question["answers"])
    if "texts" in question:
        texts = question["texts"]
        any_other = "any other is another text" if texts["others"] else "no other"
        return f"1 to {texts['longest']} of {' '.join(texts['characters'])}; {any_other}"
    grid = question.get("integers") or question["numbers"]
    step = f" in steps of {grid['step']}" if "step" in grid else ""
    clipped = "lower and higher answers count as these, how many is unknown"
    return f"{grid['low']} to {grid['high']}{step}; {clipped}"


def _each(question: dict[str, Any]) -> str:
    """Return what the reports that an estimate needs have in common, where not all count."""
    if "several" in question:
        return ", of each option those that ask it"
    return " of the last level" if "texts" in question else ""


def _waves(waves: dict[str, Any]) -> str:
    times = waves["times"]
    toss = "tossed once for life" if times is None else f"tossed afresh in {times} of them"
    return f"  {waves['count']} waves of {waves['days']} days from {waves['first']} on, {toss}"


def _as_text(described: dict[str, Any]) -> str:
    from tossup.shared.accounting import odds_as_text, promise_as_text

    total = odds_as_text(Fraction(described["odds"]))
    lines = [
        f"{described['survey']}, version {described['version']}, {described['state']},"
        f" {described['reports']} reports",
        f"Answering everything: odds {total} (epsilon {described['epsilon']},"
        f" delta {described['delta']})",
    ]
    for question in described["questions"]:
        text = next(iter(question["text"].values()))
        odds = promise_as_text(Fraction(question["odds"]), Fraction(question["delta"]))
        lines.append(f"  {question['id']} ({odds})  {text}")
        lines.append(f"      {_choices(question)}")
        lines.append(f"      an estimate needs {question['minimum']} reports{_each(question)}")
    if described["waves"]:
        lines.append(_waves(described["waves"]))
    for attribute in described["attributes"]:
        lines.append(f"  {attribute['id']} (public)  {' | '.join(attribute['options'])}")
    return "\n".join([*lines, f"Link: {described['link']}"])
