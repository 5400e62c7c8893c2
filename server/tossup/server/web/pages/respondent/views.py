"""Routes for respondents: the survey's page at its own link, its privacy page, its poster.

The address of a survey answers programs with the signed manifest and browsers with the page. No
request here looks at a cookie.
"""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final

from flask import Blueprint, Response, render_template, request

from tossup.server.store.records import SurveyDeleted, SurveyRecord, SurveyUnknown
from tossup.server.surveys.file import DEVICE_CAP, QUESTION_CAP
from tossup.server.surveys.link import as_svg
from tossup.server.web.access import public
from tossup.server.web.middleware import problems
from tossup.server.web.pages.respondent import tongues
from tossup.server.web.pages.respondent.asked import Page
from tossup.server.web.pages.respondent.fingerprints import fingerprints
from tossup.server.web.pages.respondent.policy import policy
from tossup.server.web.pages.respondent.versions import versions_of
from tossup.server.web.pages.respondent.where import OnThisServer, Where, public_link
from tossup.server.web.pages.words.language import gettext
from tossup.server.web.pages.words.numbers import day, odds_in_words
from tossup.server.web.services import services
from tossup.shared.signing import b64url
from tossup.shared.survey import Survey
from tossup.shared.wire import MANIFEST_TYPE

_HTML: Final = "text/html"


def create_blueprint() -> Blueprint:
    """Return the pages beside the survey's own address, which the API's route negotiates."""
    blueprint = Blueprint("respondent", __name__, url_prefix="/v1/surveys/<survey_id>")
    blueprint.get("/privacy")(privacy)
    blueprint.get("/poster")(poster)
    blueprint.get("/code.svg")(code)
    blueprint.register_error_handler(Exception, trouble)
    for helper in (tongues.said, tongues.written):
        blueprint.add_app_template_filter(helper)
    return blueprint


def is_wanted() -> bool:
    """Return whether a request for a survey's address comes from someone who reads pages.

    Programs ask for the manifest, or for anything; browsers prefer HTML to all else.
    """
    accepted = request.accept_mimetypes
    return bool(accepted[_HTML] > accepted[MANIFEST_TYPE])


def survey_page(survey_id: str) -> Response:
    """Return the page of a survey: its questions, or why it asks none."""
    try:
        return _asking(services().store.survey(survey_id))
    except Exception as error:
        return trouble(error)


def _asking(record: SurveyRecord) -> Response:
    _choose_languages(record.survey)
    if record.state in ("closing", "closed"):
        return _closed(record)
    if record.state == "not-open":
        return _not_open(record)
    manifest = record.envelope.decode()
    return _html(
        render_template("respondent/survey.html", manifest=manifest, **shown(record.survey))
    )


@public
def privacy(survey_id: str) -> Response:
    """Say who learns what, what each answer gives away, and what nobody can promise."""
    store, survey = services().store, services().store.survey(survey_id).survey
    _choose_languages(survey)
    more = {
        "link": public_link(services().config, survey),
        "versions": versions_of(store.manifests(survey_id)),
    }
    return _html(render_template("respondent/privacy.html", **shown(survey), **more))


@public
def poster(survey_id: str) -> Response:
    """Show the link as a code to scan, to print and pin up; beneath it, how to embed the survey."""
    survey = services().store.survey(survey_id).survey
    _choose_languages(survey)
    link = public_link(services().config, survey)
    return _html(render_template("respondent/poster.html", link=link, **shown(survey)))


@public
def code(survey_id: str) -> Response:
    """Draw the link as a code to scan."""
    survey = services().store.survey(survey_id).survey
    drawn = as_svg(public_link(services().config, survey))
    return Response(drawn, content_type="image/svg+xml")


def trouble(error: Exception) -> Response:
    """Say in the visitor's language why there is no page: mostly that there is no such survey."""
    code, _ = problems.explain(error)
    status, no_coin = HTTPStatus(problems.CODES[code][0]), gettext("Your device tossed no coin.")
    if isinstance(error, SurveyDeleted):
        return _state(status, gettext("This survey was deleted."), no_coin)
    if isinstance(error, SurveyUnknown):
        heading = gettext("There is no such survey here.")
        text = gettext(
            "The link is mistyped, or a part of it is missing. Ask whoever gave it to you."
        )
        return _state(status, heading, text)
    services().metrics.count_problem(code)
    if status == HTTPStatus.SERVICE_UNAVAILABLE:
        heading = gettext("The server is busy")
        text = gettext("Nothing is lost. Load the page again in a moment.")
    elif status < HTTPStatus.INTERNAL_SERVER_ERROR:
        heading = gettext("This request cannot be understood")
        text = gettext("Go back and load the page again.")
    else:
        heading = gettext("The server made a mistake")
        text = gettext(
            "It was noted without your request. Reports are not affected; please tell the person"
            " who runs the server."
        )
    page = _state(status, heading, text, {"where": None, "also": no_coin})
    page.headers.update(problems.when_to_retry(error, code))
    return page


def shown(survey: Survey, where: Where | None = None) -> dict[str, Any]:
    """Return what the templates of a survey take."""
    tag = tongues.survey_language()
    return {
        "page": Page(survey),
        "where": where or OnThisServer(survey, tongues.chosen()),
        "tongues": tongues.tongues(survey),
        "is_current": tongues.is_current,
        "direction": tongues.direction(tag),
        "written_in": tag,
        "key": b64url(survey.publisher.key),
        "fingerprints": fingerprints(),
        "caps": {"question": odds_in_words(QUESTION_CAP), "publisher": odds_in_words(DEVICE_CAP)},
    }


def _choose_languages(survey: Survey) -> None:
    tongues.choose(survey, [request.args.get("lang", ""), *request.accept_languages.values()])


def _closed(record: SurveyRecord) -> Response:
    last = record.ended or record.survey.closes
    heading = (
        gettext("This survey closed on %(day)s.", day=day(last))
        if last
        else gettext("This survey is closed.")
    )
    text = gettext("It asks nobody any more, and your device tossed no coin now.")
    return _state(HTTPStatus.GONE, heading, text, shown(record.survey) | {"is_over": True})


def _not_open(record: SurveyRecord) -> Response:
    opens = record.survey.opens
    heading = gettext("This survey is not open yet.")
    text = gettext("It opens on %(day)s. Your device tossed no coin.", day=opens and day(opens))
    return _state(HTTPStatus.OK, heading, text, shown(record.survey) | {"is_early": True})


def _state(
    status: HTTPStatus, heading: str, text: str, more: Mapping[str, Any] | None = None
) -> Response:
    page = render_template(
        "respondent/state.html", heading=heading, text=text, **(more or {"where": None})
    )
    return _html(page, status)


def _html(page: str, status: HTTPStatus = HTTPStatus.OK) -> Response:
    response = Response(page, status, content_type=f"{_HTML}; charset=utf-8")
    response.headers["Content-Security-Policy"] = policy(services().config.embedded_by)
    # Not "no-store": a browser may then keep the page as it is for its back button.
    response.headers["Cache-Control"] = "private, no-cache"
    response.vary.update(["Accept", "Accept-Language"])
    return response
