"""What a visitor asks a page for, and the answer that is made once for all who ask the same."""

from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256
from typing import Final
from urllib.parse import urlencode

from flask import render_template, request
from markupsafe import Markup

from tossup.server.results import is_tabled, once_each, parse_query, scope_of
from tossup.server.store.records import SurveyRecord
from tossup.server.web.answers import Answer, Asked
from tossup.server.web.middleware.shown import within
from tossup.server.web.pages.words.language import chosen_language, current_language
from tossup.server.web.results_api import answer
from tossup.server.web.services import services
from tossup.shared.survey import WAVE

#: Where a frame has what a page says; no text of a survey can say it, as all are escaped.
_BODY: Final = Markup("<!-- body -->")
_OWN_PARAMETERS: Final = ("lang", "format", "show")


def page(name: str, record: SurveyRecord, kind: str) -> bytes:
    """Return a page: what it says is made once for all visitors, its frame for each.

    What it says may be large, so it is copied once, as bytes, and never passes the template.
    """
    body = made(kind, record)
    frame = render_template(
        f"dashboard/{name}.html",
        survey=record.survey,
        body=_BODY,
        record=record,
        most=services().config.max_reports,
        live=_address().replace("?", "/live?", 1),
        tag=f'"{digest(body)}"',
    )
    before, after = frame.encode().split(_BODY.encode())
    return b"".join((before, body, after))


def made(kind: str, record: SurveyRecord) -> bytes:
    """Return what a page says, without its frame."""
    asked = asked_for(kind, record, current_language())
    return answer(replace(asked, address=_address()), record).body


def digest(body: bytes) -> str:
    """Return a digest of what a page says: it tells of reports what the page tells."""
    return sha256(body).hexdigest()[:32]


def answered(
    kind: str,
    record: SurveyRecord,
    language: str | None = None,
    also: Mapping[str, str] | None = None,
) -> Answer:
    """Return an answer that is no page; ``also`` has what its maker reads beside filters."""
    asked = asked_for(kind, record, language)
    check_filters(record)
    query = tuple(sorted({**dict(asked.query), **(also or {})}.items()))
    return answer(replace(asked, query=query), record)


def asked_for(kind: str, record: SurveyRecord, language: str | None) -> Asked:
    """Return what is asked for."""
    return Asked(kind, record.survey.id, tuple(sorted(filters_given().items())), language)


def check_filters(record: SurveyRecord, given: Mapping[str, str] | None = None) -> None:
    """Refuse filters that a survey does not have: by default those in the address."""
    query = filters_given() if given is None else dict(given)
    scope_of(parse_query(query)).check(services().store.manifests(record.survey.id))


def filters_given() -> dict[str, str]:
    """Return the filters in the address: all of its parameters that are not the page's own."""
    given = once_each(request.args.lists())
    return within({name: v for name, v in given.items() if name not in _OWN_PARAMETERS and v})


def two_of(record: SurveyRecord, query: Mapping[str, str]) -> tuple[list[str], dict[str, str]]:
    """Return two questions and the filters: those asked for, or the first two there are."""
    filters = dict(query)
    names = [filters.pop("rows", ""), filters.pop("columns", "")]
    survey = record.survey
    tabled = [question.id for question in survey.questions if is_tabled(question)]
    if any(names) or record.expired or survey.linkage != "joint" or len(tabled) < 2:
        return names, filters
    if survey.waves is not None and survey.waves.times != 1:
        # One device may stand in several waves: the newest one that has begun.
        day = services().store.today()
        begun = [w for w in survey.waves.options if survey.waves.starts(int(w)) <= day]
        filters.setdefault(f"where.{WAVE}", max(begun, key=int, default=survey.waves.options[0]))
    return tabled[:2], filters


def _address() -> str:
    """Return the address of this page, with nothing but what pages read, in one order."""
    language = chosen_language()
    read = filters_given() | ({"lang": language} if language else {})
    if request.args.get("show") == "all":
        read["show"] = "all"
    # What is asked for by itself is what the page says.
    path = request.path.removesuffix("/live" if request.endpoint == "dashboard.live" else "")
    return f"{path}?{urlencode(sorted(read.items()))}"
