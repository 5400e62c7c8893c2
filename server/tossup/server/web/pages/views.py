"""Routes of the dashboard: each reads, asks others to compute, and renders."""

from codecs import BOM_UTF8

from flask import Blueprint, Response, g, render_template, request
from markupsafe import Markup

from tossup.server.refusals import Refused
from tossup.server.results import is_tabled
from tossup.server.results.joint.stored import check_joint, find_joint
from tossup.server.store.records import SurveyRecord
from tossup.server.web.access import published_or_signed_in
from tossup.server.web.answers import Asked, is_dear, maker
from tossup.server.web.pages.asking import (
    answered,
    check_filters,
    digest,
    filters_given,
    made,
    page,
    two_of,
)
from tossup.server.web.pages.figures.progress import ways
from tossup.server.web.pages.joint_table import joint_view
from tossup.server.web.pages.overview import standing, standing_within, taken_part
from tossup.server.web.pages.page import Glance, question_views
from tossup.server.web.pages.words.language import current_language
from tossup.server.web.results_api import answer, found
from tossup.server.web.services import services


def install(blueprint: Blueprint) -> None:
    """Add the dashboard's routes."""
    blueprint.get("/surveys/<survey_id>")(survey)
    blueprint.get("/surveys/<survey_id>/live")(live)
    blueprint.get("/surveys/<survey_id>/joint")(joint)
    blueprint.get("/surveys/<survey_id>/results.csv")(results_csv)
    blueprint.get("/surveys/<survey_id>/results.json")(results_json)


@published_or_signed_in
def survey(survey_id: str) -> bytes:
    """Show the estimates of a survey."""
    record = services().store.survey(survey_id)
    check_filters(record)
    return page("survey", record, "survey-page")


@published_or_signed_in
def live(survey_id: str) -> Response:
    """Return what a survey's page says, without its frame; nothing to who has it already."""
    record = services().store.survey(survey_id)
    check_filters(record)
    body = made("survey-page", record)
    response = Response(body, content_type="text/html; charset=utf-8")
    response.set_etag(digest(body))
    response.make_conditional(request)
    return response


@maker("survey-page")
def make_survey_page(asked: Asked, record: SurveyRecord) -> bytes:
    """Make what a survey's page says, without the frame, which depends on the visitor."""
    g.language = asked.language
    store, results = services().store, found(asked, record)
    today = store.today()
    stands = standing(store, record, today)
    if "to" in dict(asked.query):
        stands = standing_within(results, stands)
    return render_template(
        "dashboard/_survey.html",
        results=results,
        views=question_views(results),
        standing=stands,
        ways=ways(results, stands, today),
        **taken_part(store, stands.record, results),
        query=dict(asked.query),
        as_of=asked.as_of,
    ).encode()


@maker("finding")
def make_finding(asked: Asked, record: SurveyRecord) -> bytes:
    """Make the row of a survey's first question, as the list of surveys shows it."""
    g.language = asked.language
    first = found(asked, record).questions[0]
    return render_template("dashboard/_row.html", view=Glance(first)).encode()


def first_finding(record: SurveyRecord) -> Markup:
    """Return what a survey's first question found; nothing where that takes long."""
    if is_dear("finding", services().store, record):
        return Markup()
    asked = Asked("finding", record.survey.id, (), current_language())
    try:
        body = answer(asked, record).body.decode()
    except Refused:
        return Markup()
    return Markup(body)  # noqa: S704 - a template's output, escaped there


@published_or_signed_in
def joint(survey_id: str) -> bytes:
    """Show two questions together: the two that are chosen, or else the first two."""
    record = services().store.survey(survey_id)
    names, filters = two_of(record, filters_given())
    if all(names):
        check_joint(services().store, record, names, filters)
        return page("joint", record, "joint-page")
    check_filters(record, filters)
    return page("joint", record, "choose-two")


@maker("choose-two")
@maker("joint-page")
def make_joint_page(asked: Asked, record: SurveyRecord) -> bytes:
    """Make what the page of two questions says; without two, without a look at reports."""
    g.language = asked.language
    names, filters = two_of(record, dict(asked.query))
    table = find_joint(services().store, record, names, filters) if all(names) else None
    return render_template(
        "dashboard/_joint.html",
        survey=record.survey,
        tabled=[question for question in record.survey.questions if is_tabled(question)],
        names=names,
        query=filters,
        view=table and joint_view(table),
        as_of=asked.as_of,
    ).encode()


@published_or_signed_in
def results_csv(survey_id: str) -> Response:
    """Send the estimates as CSV, with labels in the page's language where the survey has it."""
    record = services().store.survey(survey_id)
    language = current_language()
    made = answered("csv", record, language if language in record.survey.languages else None)
    content_type = "text/csv; charset=utf-8"
    response = made.response(content_type)
    if request.args.get("format") == "excel":
        response = Response(BOM_UTF8 + made.body, content_type=content_type)
    return _download(response, f"{survey_id}.csv")


@published_or_signed_in
def results_json(survey_id: str) -> Response:
    """Send the estimates as JSON."""
    made = answered("json", services().store.survey(survey_id))
    return _download(made.response("application/json"), f"{survey_id}.json")


def _download(response: Response, name: str) -> Response:
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
