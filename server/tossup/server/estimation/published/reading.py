"""A server's results, fetched over HTTP or read from what ``tossup export`` wrote, as estimates."""

import re
from collections.abc import Mapping
from csv import DictReader
from datetime import date
from io import StringIO
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

from tossup.server import remote
from tossup.server.estimation.errors import EstimationError
from tossup.server.estimation.published.results import (
    Published,
    PublishedQuestion,
    PublishedSlice,
)
from tossup.server.shortening import shortened
from tossup.shared.errors import TossupError
from tossup.shared.kinds import FROM_JSON, of_options
from tossup.shared.mechanisms import from_spec
from tossup.shared.survey import Option, Question

#: The form of results that this version reads.
_FORM: Final = 1
_ADDRESS: Final = re.compile(
    r"(?P<prefix>(?:/[^/]+)*?)(?:/v1)?/surveys/(?P<survey>[a-z0-9][a-z0-9_-]{0,63})"
    r"(?:/results(?:\.json)?)?/?"
)
#: Names in tables are no longer than this.
_LONGEST_NAME: Final = 60


def fetch(
    url: str,
    key: str | None = None,
    *,
    confidence: float = 0.95,
    wave: int | None = None,
    language: str | None = None,
) -> Published:
    """Return a survey's results from its server, as estimates.

    Parameters
    ----------
    url
        The survey's link, its page, or its results: ``https://host/surveys/habits``.
    key
        An API key; not needed where results are published. With one, joint reports come too.
    confidence
        For what only the server can estimate: shares of texts.
    wave
        For a survey with waves; the newest with enough reports by default.
    language
        Of labels; the survey's first if not given.

    Returns
    -------
    Published
        Questions by id, each with its estimates by day and group.

    Raises
    ------
    RemoteError
        If no server answers, or it refuses.
    EstimationError
        If the address is none of a survey, or the answer is not what this version reads.
    """
    address = _address(url)
    query = {"confidence": str(confidence)} | ({} if wave is None else {"where.wave": str(wave)})
    answer = remote.send(f"{address}/results?{urlencode(query)}", key)
    found = remote.json_object(answer, ("survey", "questions"))
    joint = key and found["survey"].get("linkage") == "joint"
    return results_from(found, _joint_rows(address, key) if joint else (), language)


def read_results(source: str | Path, *, language: str | None = None) -> Published:
    """Return the results that ``tossup export --format json`` wrote to a file.

    Parameters
    ----------
    source
        Path of the file.
    language
        Of labels; the survey's first if not given.

    Returns
    -------
    Published
        Questions by id, each with its estimates by day and group.

    Raises
    ------
    EstimationError
        If it cannot be read, or is not what this version reads.
    """
    try:
        found = remote.strict_object(Path(source).read_bytes())
    except (OSError, ValueError) as error:
        raise EstimationError(f"{source} holds no results in JSON: {error}") from error
    return results_from(found, (), language)


def results_from(
    found: Mapping[str, Any],
    rows: tuple[Mapping[str, Any], ...] = (),
    language: str | None = None,
) -> Published:
    """Return results in JSON, already parsed, as estimates."""
    if found.get("v") != _FORM:
        raise EstimationError(
            f"results of form {found.get('v')!r} are none that this version reads; upgrade tossup"
        )
    try:
        spoken = language or found["survey"]["languages"][0]
        questions = tuple(_question(one, spoken, found) for one in found["questions"])
        for question in questions:  # what is damaged is found here, and not where it is used
            question.lines()
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, TossupError) as error:
        raise EstimationError(f"these are no results that this version reads: {error}") from error
    return Published(_names(questions), questions, found["survey"], rows)


def _names(questions: tuple[PublishedQuestion, ...]) -> tuple[str, ...]:
    """Return a name for each; where two are called the same, with ids or versions beside it."""
    names = [_short(question.name) for question in questions]
    for more in (_id_of, _versions_of):
        twice = {name for name in names if names.count(name) > 1}
        names = [
            f"{name} {more(one)}" if name in twice else name
            for name, one in zip(names, questions, strict=True)
        ]
    return tuple(names)


def _id_of(question: PublishedQuestion) -> str:
    return f"[{question.question.id}]"


def _versions_of(question: PublishedQuestion) -> str:
    return f"(version {', '.join(map(str, question.versions))})"


def _short(text: str) -> str:
    return shortened(" ".join(text.split()), _LONGEST_NAME)


def _question(
    value: Mapping[str, Any], language: str, found: Mapping[str, Any]
) -> PublishedQuestion:
    question = _asked(value)
    texts = {one["id"]: _labels(one["options"], language) for one in found["attributes"]}
    days = {
        date.fromisoformat(part["day"]): PublishedSlice(
            part["day"], *_counted(part, question, language)
        )
        for part in value["days"]
    }
    groups: dict[str, dict[str, PublishedSlice]] = {}
    for group in value["groups"]:
        attribute, option = group["attribute"], group["option"]
        label = texts.get(attribute, {}).get(option, option)
        groups.setdefault(attribute, {})[option] = PublishedSlice(
            label, *_counted(group, question, language)
        )
    return PublishedQuestion(
        question.text.get(language) or question.id,
        *_counted(value, question, language),
        versions=tuple(value["versions"]),
        days=days,
        groups=groups,
    )


def _counted(
    value: Mapping[str, Any], question: Question, language: str
) -> tuple[Question, tuple[int, ...] | None, int, int, tuple[Mapping[str, Any], ...], str]:
    counts = None if value["counts"] is None else tuple(value["counts"])
    given = () if value["suppressed"] else tuple(value["estimates"])
    return question, counts, value["n"], value["minimum"], given, language


def _asked(value: Mapping[str, Any]) -> Question:
    """Return the question, as a manifest would have it."""
    answers = [one for one in value.get("answers", ()) if "label" in one]
    options = tuple(Option(one["id"], one["label"]) for one in answers)
    ids = tuple(option.id for option in options)
    domains = [make(value[kind], ids) for kind, make in FROM_JSON.items() if kind in value]
    domain = domains[0] if domains else of_options(ids)
    mechanism = from_spec(value["design"]["mechanism"], answers=domain.answers)
    return Question(value["id"], value["id"], value["text"], options, mechanism, domain)


def _labels(options: list[Mapping[str, Any]], language: str) -> dict[str, str]:
    return {option["id"]: option["label"].get(language, option["id"]) for option in options}


def _address(url: str) -> str:
    """Return the address of a survey's interface, by any of its addresses."""
    parts = urlsplit(url) if isinstance(url, str) and remote.is_address(url) else None
    path = _ADDRESS.fullmatch(parts.path) if parts else None
    if parts is None or path is None:
        raise EstimationError(
            f"{url!r} is no address of a survey, such as https://host/surveys/habits; an"
            " exported file of JSON is read by read_results"
        )
    return f"{parts.scheme}://{parts.netloc}{path['prefix']}/v1/surveys/{path['survey']}"


def _joint_rows(address: str, key: str | None) -> tuple[Mapping[str, Any], ...]:
    """Return joint reports; none where they fit no table."""
    try:
        answer = remote.send(f"{address}/reports.csv", key)
    except remote.RemoteRefusedError as error:
        if error.code != "not-joint":
            raise
        return ()
    rows = DictReader(StringIO(answer.body.decode()))
    return tuple({name: _value(name, text) for name, text in row.items()} for row in rows)


def _value(name: str, text: str) -> Any:
    """Return a cell: numbers of reports and versions, ids of options, None where it is empty."""
    if name.startswith("attribute_"):
        return text or None
    return int(text) if text else None
