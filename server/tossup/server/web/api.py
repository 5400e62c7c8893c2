"""The HTTP API, version 1: thin adapters that only translate.

Stage: HTTP.
"""

from dataclasses import asdict
from typing import Final

from flask import Blueprint, Response, request

from tossup.server.ingest.core import Ingest
from tossup.server.refusals import Refused
from tossup.server.results import once_each
from tossup.server.store.records import ManifestUnknown, SurveyRecord
from tossup.server.surveys import lifecycle
from tossup.server.surveys.file import QUESTION_CAP
from tossup.server.web.access import public, require, subject
from tossup.server.web.middleware.headers import cross_origin
from tossup.server.web.middleware.receiving import commits, receipt
from tossup.server.web.middleware.requests import read_body
from tossup.server.web.pages.respondent import views as respondent
from tossup.server.web.services import services
from tossup.shared.strict_json import dumps
from tossup.shared.wire import (
    MANIFEST_TYPE,
    REPORTS_TYPE,
    WITHDRAWALS_TYPE,
)

JSON: Final = "application/json"
_PLAIN: Final = "text/plain"  # what a browser sends without a preflight
_REPORTS: Final = (REPORTS_TYPE, JSON, _PLAIN)
_WITHDRAWALS: Final = (WITHDRAWALS_TYPE, JSON, _PLAIN)
_FOR_EVER: Final = "public, max-age=31536000, immutable"

api = Blueprint("api", __name__, url_prefix="/v1")


@api.get("/surveys/<survey_id>")
@cross_origin
@public
def get_survey(survey_id: str) -> Response:
    """Return the current manifest of an open survey, signed; to browsers the page that asks it."""
    if respondent.is_wanted():
        return respondent.survey_page(survey_id)
    record = services().store.survey(survey_id)
    if record.state in ("closing", "closed"):
        raise Refused("the survey is closed; it asks nobody any more", "survey-closed")
    return _manifest(record.envelope, record.survey.digest, "public, no-cache")


@api.get("/manifests/<digest>")
@cross_origin
@public
def get_manifest(digest: str) -> Response:
    """Return the manifest with a digest, signed. It never changes."""
    try:
        return _manifest(services().store.envelope(digest), digest, _FOR_EVER)
    except ManifestUnknown as error:
        raise Refused(str(error), "manifest-unknown") from error


@api.post("/reports")
@cross_origin
@public
@commits(Ingest.reports, *_REPORTS)
def post_reports() -> Response:
    """Receive a batch of reports; the answer comes after the durable commit."""
    return receipt(services().ingest.receive(read_body(*_REPORTS)))


@api.post("/withdrawals")
@cross_origin
@public
@commits(Ingest.withdrawal, *_WITHDRAWALS)
def post_withdrawals() -> Response:
    """Take reports back. Knowing a report's id is the right to do so."""
    return receipt(services().ingest.withdraw(read_body(*_WITHDRAWALS)))


@api.post("/surveys")
@require("owner", by="api-key")
def post_survey() -> Response:
    """Publish a signed manifest: a new survey, or the next version of one.

    A question may cost no more than ``?question_cap=`` says (9), as on devices. The answer says
    which of its topics other surveys of the publisher ask, too.
    """
    store, cap = services().store, _question_cap()
    survey = lifecycle.publish(store, read_body(MANIFEST_TYPE, JSON), question_cap=cap)
    subject(f"{survey.id} version {survey.version}")
    shared = lifecycle.topics_asked_elsewhere(store, survey)
    made = {
        "survey": survey.id,
        "version": survey.version,
        "manifest": survey.digest,
        "shared_topics": [asdict(topic) for topic in shared],
    }
    return _json(made, status=201)


@api.get("/surveys")
@require("viewer", by="api-key")
def list_surveys() -> Response:
    """Return what is known of every survey."""
    records, damaged = lifecycle.listed(services().store)
    told = {"damaged": damaged} if damaged else {}
    return _json({"surveys": [_summary(record) for record in records], **told})


@api.post("/surveys/<survey_id>/close")
@require("owner", by="api-key")
def close_survey(survey_id: str) -> Response:
    """Close a survey."""
    lifecycle.close(services().store, survey_id)
    return _json({"id": survey_id, "state": "closed"})


@api.post("/surveys/<survey_id>/reopen")
@require("owner", by="api-key")
def reopen_survey(survey_id: str) -> Response:
    """Open a survey again that was closed by hand, until its last day."""
    lifecycle.reopen(services().store, survey_id)
    return _json({"id": survey_id, "state": services().store.survey(survey_id).state})


@api.delete("/surveys/<survey_id>")
@require("owner", by="api-key")
def delete_survey(survey_id: str) -> Response:
    """Delete a survey for good, if it has no more reports than ``?losing=`` says (0)."""
    services().store.survey(survey_id)  # an unknown one is that, whatever else is asked
    lost = lifecycle.delete(services().store, survey_id, _losing())
    return _json({"id": survey_id, "state": "deleted", "lost": lost})


def _losing() -> int:
    return _number("losing", 0, "is how many reports may be lost, such as 201")


def _question_cap() -> int:
    return _number(
        "question_cap", int(QUESTION_CAP), "is the odds that a question may cost, such as 9"
    )


def _number(name: str, default: int, what: str) -> int:
    """Return the one number that a query may have."""
    query = once_each(request.args.lists())
    given = query.pop(name, str(default))
    if query or not (given.isascii() and given.isdigit() and len(given) <= 18):
        raise Refused(f"{name} {what}", "filter-invalid")
    return int(given)


def _summary(record: SurveyRecord) -> dict[str, object]:
    survey = record.survey
    return {
        "id": survey.id,
        "title": dict(survey.title),
        "state": record.state,
        "version": survey.version,
        "manifest": survey.digest,
        "reports": record.reports,
        "respondents": lifecycle.respondents(services().store, record),
        "opens": survey.opens and survey.opens.isoformat(),
        "closes": survey.closes and survey.closes.isoformat(),
        "linkage": survey.linkage,
        "minimum_batch": survey.minimum_batch,
        "results": survey.results,
    }


def _manifest(envelope: bytes, digest: str, cache_control: str) -> Response:
    response = Response(envelope, content_type=MANIFEST_TYPE)
    response.headers["Cache-Control"] = cache_control
    response.set_etag(digest)
    response.vary.add("Accept")
    response.make_conditional(request)
    return response


def _json(value: object, status: int = 200) -> Response:
    return Response(dumps(value), status, content_type=JSON)
