"""The estimates of a survey over HTTP, as JSON and as CSV, and its joint reports.

Stage: HTTP. Computed from the tallies once for all askers, see `answers`; the strong ETag is a
digest of the bytes.
"""

from collections.abc import Mapping
from hashlib import sha256
from typing import Final

from flask import Blueprint, Response, request

from tossup.server.refusals import Refused
from tossup.server.results import (
    FilterError,
    Results,
    joint_to_json,
    once_each,
    parse_query,
    results,
    results_to_csv,
    results_to_json,
    scope_of,
)
from tossup.server.results.joint.linked import NotLinked, joint_reports_to_csv
from tossup.server.results.joint.stored import check_joint, find_joint
from tossup.server.store.records import SurveyRecord
from tossup.server.web.access import published_or_signed_in, require
from tossup.server.web.answers import Answer, Asked, maker
from tossup.server.web.middleware.shown import within
from tossup.server.web.services import services
from tossup.shared.strict_json import dumps

results_api = Blueprint("results_api", __name__, url_prefix="/v1/surveys/<survey_id>")

_REVALIDATE: Final = "private, no-cache"


@results_api.get("/results")
@published_or_signed_in
def get_results(survey_id: str) -> Response:
    """Return the estimates with intervals and n."""
    return _answer(survey_id, "json", "application/json")


@results_api.get("/results.csv")
@published_or_signed_in
def get_results_csv(survey_id: str) -> Response:
    """Return the estimates as CSV, with their codebook."""
    return _answer(survey_id, "csv", "text/csv; charset=utf-8")


@results_api.get("/reports.csv")
@require("analyst", by="api-key")
def get_joint_reports(survey_id: str) -> Response:
    """Return the joint reports of a survey with joint linkage as CSV, equal ones counted."""
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
    record, query = services().store.survey(survey_id), _query()
    check_joint(services().store, record, *_questions_and_filters(query))
    return _given("joint", record, query, "application/json")


@maker("json")
def make_json(asked: Asked, record: SurveyRecord) -> bytes:
    """Make the estimates as JSON; if they are made aside, ``as_of`` says when."""
    return _dumped(asked, results_to_json(found(asked, record)))


@maker("csv")
def make_csv(asked: Asked, record: SurveyRecord) -> bytes:
    """Make the estimates as CSV, in the language that is asked for."""
    return results_to_csv(found(asked, record), asked.language).encode()


@maker("joint")
def make_joint(asked: Asked, record: SurveyRecord) -> bytes:
    """Make a joint table as JSON."""
    names, filters = _questions_and_filters(dict(asked.query))
    table = find_joint(services().store, record, names, filters)
    return _dumped(asked, joint_to_json(record.survey, table))


def found(asked: Asked, record: SurveyRecord) -> Results:
    """Return the results that are asked for, from the tallies as they are now."""
    store = services().store
    versions, cells = store.manifests(asked.survey_id), store.tally(asked.survey_id)
    return results(record, cells, versions=versions, **parse_query(dict(asked.query)))


def answer(asked: Asked, record: SurveyRecord) -> Answer:
    """Return the answer to what is asked of a survey as it stands."""
    store = services().store
    at = store.history, record.revision, record.state, store.today()
    return services().answers.get(asked, record, at)


def _dumped(asked: Asked, value: dict[str, object]) -> bytes:
    return dumps(value | {"as_of": asked.as_of} if asked.as_of else value)


def _answer(survey_id: str, kind: str, content_type: str) -> Response:
    record, query = services().store.survey(survey_id), _query()
    scope_of(parse_query(query)).check(services().store.manifests(survey_id))
    return _given(kind, record, query, content_type)


def _given(kind: str, record: SurveyRecord, query: dict[str, str], content_type: str) -> Response:
    """Return an answer, or say that the caller's copy of it is still right."""
    asked = Asked(kind, record.survey.id, tuple(sorted(query.items())))
    made = answer(asked, record)
    response = made.response(content_type)
    # A digest of the bytes: anything else, such as the revision, would tell of reports what the
    # answer does not show.
    response.set_etag(sha256(made.data).hexdigest()[:32])
    response.headers["Cache-Control"] = _REVALIDATE
    response.last_modified = made.as_of
    response.make_conditional(request)
    return response


def _query() -> dict[str, str]:
    given = once_each(request.args.lists())
    return within({name: value for name, value in given.items() if value})


def _questions_and_filters(query: Mapping[str, str]) -> tuple[list[str], dict[str, str]]:
    filters = dict(query)
    names = filters.pop("questions", "").split(",")
    if filters.get("looks") == "every":
        raise FilterError("intervals of joint tables hold at one look alone: leave looks out")
    return names, filters
