"""The estimates of a survey over HTTP, as JSON and as CSV, and its joint reports.

Stage: HTTP. Computed from the tallies on every request, unless the caller's copy is still what
they say: see `etags`.
"""

from collections.abc import Callable
from hashlib import sha256
from http import HTTPStatus
from typing import Final

from flask import Blueprint, Response, request

from tossup.server.access import api_key_required, published_or_signed_in
from tossup.server.linked import NotLinked, joint_reports_to_csv
from tossup.server.refusals import Refused
from tossup.server.results import (
    FilterError,
    Filters,
    Results,
    joint_to_json,
    once_each,
    parse_query,
    results,
    results_to_csv,
    results_to_json,
    scope_of,
)
from tossup.server.services import services
from tossup.server.store.base import SurveyRecord
from tossup.server.stored import find_joint
from tossup.shared.strict_json import dumps
from tossup.shared.survey import Survey

results_api = Blueprint("results_api", __name__, url_prefix="/v1/surveys/<survey_id>")

_REVALIDATE: Final = "private, no-cache"


@results_api.get("/results")
@published_or_signed_in
def get_results(survey_id: str) -> Response:
    """Return the estimates with intervals and n."""
    return _answer(survey_id, "application/json", lambda found: dumps(results_to_json(found)))


@results_api.get("/results.csv")
@published_or_signed_in
def get_results_csv(survey_id: str) -> Response:
    """Return the estimates as CSV, with their codebook."""
    return _answer(
        survey_id, "text/csv; charset=utf-8", lambda found: results_to_csv(found).encode()
    )


@results_api.get("/reports.csv")
@api_key_required
def get_joint_reports(survey_id: str) -> Response:
    """Return the joint reports as CSV, equal ones counted; of surveys with joint linkage alone."""
    try:
        table = joint_reports_to_csv(services().store, survey_id)
    except NotLinked as error:
        raise Refused(str(error), "not-joint") from error
    response = Response(table.encode(), content_type="text/csv; charset=utf-8")
    response.headers["Cache-Control"] = "no-store"
    return response


@results_api.get("/joint")
@published_or_signed_in
def get_joint(survey_id: str) -> Response:
    """Return a joint table of two questions, ``?questions=first,second``."""
    record = services().store.survey(survey_id)
    return _unless_unchanged(record, "application/json", lambda: dumps(_joint(record)))


def _joint(record: SurveyRecord) -> dict[str, object]:
    try:
        query = once_each(request.args.lists())
        names = query.pop("questions", "").split(",")
        if query.get("looks") == "every":
            raise FilterError("intervals of joint tables hold at one look alone: leave looks out")
        found = find_joint(services().store, record, names, query)
    except FilterError as error:
        raise Refused(str(error), "filter-invalid") from error
    return joint_to_json(record.survey, found)


def _answer(survey_id: str, kind: str, form: Callable[[Results], bytes]) -> Response:
    record = services().store.survey(survey_id)
    versions, filters = _asked(survey_id)
    return _unless_unchanged(record, kind, lambda: form(_found(record, versions, filters)))


def _unless_unchanged(record: SurveyRecord, kind: str, body: Callable[[], bytes]) -> Response:
    """Return a body, or that the caller's copy of it is still right."""
    etags = services().etags
    query = sha256(request.full_path.encode()).digest()
    asked = (record.survey.id, record.revision, record.state, query)
    known = etags.known(asked)
    if known is not None and request.if_none_match.contains(known):
        return _tagged(Response(b"", HTTPStatus.NOT_MODIFIED, content_type=kind), known)
    made = body()
    response = _tagged(Response(made, content_type=kind), etags.of(asked, made))
    response.make_conditional(request)
    return response


def _tagged(response: Response, etag: str) -> Response:
    response.set_etag(etag)
    response.headers["Cache-Control"] = _REVALIDATE
    return response


def _asked(survey_id: str) -> tuple[list[Survey], Filters]:
    """Return the versions and the filters, checked against them."""
    try:
        filters = parse_query(once_each(request.args.lists()))
        versions = services().store.manifests(survey_id)
        scope_of(filters).check(versions)
    except FilterError as error:
        raise Refused(str(error), "filter-invalid") from error
    return versions, filters


def _found(record: SurveyRecord, versions: list[Survey], filters: Filters) -> Results:
    cells = services().store.tally(record.survey.id)
    return results(record, cells, versions=versions, **filters)
