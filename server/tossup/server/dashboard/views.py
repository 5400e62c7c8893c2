"""Routes of the dashboard: each reads, asks others to compute, and renders."""

from http import HTTPStatus
from typing import Final

from flask import Blueprint, Response, render_template, request, url_for

from tossup.server.access import public, published_or_signed_in, session_required
from tossup.server.auth import check_same_origin
from tossup.server.dashboard.joint_table import joint_view
from tossup.server.dashboard.language import current_language
from tossup.server.dashboard.overview import standing
from tossup.server.dashboard.page import question_views
from tossup.server.dashboard.templating import today
from tossup.server.results import (
    Results,
    is_tabled,
    once_each,
    parse_query,
    results,
    results_to_csv,
    results_to_json,
)
from tossup.server.services import services
from tossup.server.stored import find_joint
from tossup.shared.strict_json import dumps

_OWN_PARAMETERS: Final = ("lang", "format")


def install(blueprint: Blueprint) -> None:
    """Add the dashboard's routes."""
    blueprint.get("/")(surveys)
    blueprint.get("/surveys/<survey_id>")(survey)
    blueprint.get("/surveys/<survey_id>/joint")(joint)
    blueprint.get("/surveys/<survey_id>/results.csv")(results_csv)
    blueprint.get("/surveys/<survey_id>/results.json")(results_json)
    blueprint.get("/sign-in/<token>")(sign_in)
    blueprint.post("/sign-in/<token>", endpoint="redeem")(redeem)
    blueprint.post("/sign-out")(sign_out)


@public
def sign_in(token: str) -> str:
    """Show a button. Only pressing it uses up the link: programs that preview links do not."""
    return render_template("dashboard/sign_in.html", token=token)


@public
def redeem(token: str) -> Response | tuple[str, int]:
    """Use up the link and sign the browser in."""
    check_same_origin()
    session = services().auth.redeem_link(token)
    if session is None:
        return render_template("dashboard/link_used.html"), HTTPStatus.FORBIDDEN
    response = Response(status=HTTPStatus.SEE_OTHER)
    response.headers["Location"] = url_for("dashboard.surveys")
    services().auth.set_cookie(response, session)
    return response


@session_required
def sign_out() -> Response:
    """End the session and say so."""
    response = Response(render_template("dashboard/signed_out.html"))
    services().auth.sign_out(response)
    return response


@session_required
def surveys() -> str:
    """Show all surveys and how they stand."""
    store = services().store
    standings = [standing(store, record, today()) for record in store.surveys()]
    return render_template("dashboard/surveys.html", standings=standings)


@published_or_signed_in
def survey(survey_id: str) -> str:
    """Show the estimates of a survey."""
    found = _results(survey_id)
    store = services().store
    return render_template(
        "dashboard/survey.html",
        results=found,
        views=question_views(found),
        standing=standing(store, store.survey(survey_id), today()),
        query=_query(),
    )


@published_or_signed_in
def joint(survey_id: str) -> str:
    """Show two questions together, once two are chosen."""
    record = services().store.survey(survey_id)
    query = _query()
    names = [query.pop("rows", ""), query.pop("columns", "")]
    found = find_joint(services().store, record, names, query) if all(names) else None
    return render_template(
        "dashboard/joint.html",
        survey=record.survey,
        tabled=[question for question in record.survey.questions if is_tabled(question)],
        names=names,
        query=query,
        view=found and joint_view(found),
    )


@published_or_signed_in
def results_csv(survey_id: str) -> Response:
    """Send the estimates as CSV, with labels in the page's language where the survey has it."""
    found = _results(survey_id)
    language = current_language()
    csv = results_to_csv(found, language if language in found.survey.languages else None)
    encoding = "utf-8-sig" if request.args.get("format") == "excel" else "utf-8"
    return _download(csv.encode(encoding), "text/csv; charset=utf-8", f"{survey_id}.csv")


@published_or_signed_in
def results_json(survey_id: str) -> Response:
    """Send the estimates as JSON."""
    return _download(
        dumps(results_to_json(_results(survey_id))), "application/json", f"{survey_id}.json"
    )


def _results(survey_id: str) -> Results:
    store = services().store
    record = store.survey(survey_id)
    versions = store.manifests(survey_id)
    return results(record, store.tally(survey_id), versions=versions, **parse_query(_query()))


def _query() -> dict[str, str]:
    """Return the filters in the address: all of its parameters that are not the page's own."""
    given = once_each(request.args.lists())
    return {name: v for name, v in given.items() if name not in _OWN_PARAMETERS and v}


def _download(body: bytes, content_type: str, name: str) -> Response:
    response = Response(body, content_type=content_type)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
