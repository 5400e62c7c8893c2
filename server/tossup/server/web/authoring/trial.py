"""A draft tried as respondents will see it: their page, their script, real coins, no count.

Stage: before publishing. The draft is signed with a key that this process made and forgets; the
page pins it and keeps nothing on the device. What it sends is read as strictly as any report, and
then dropped: no store is behind these routes. Their address is a secret of the draft.
"""

from functools import cache

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from flask import Blueprint, Response, render_template, request, url_for

from tossup.server.ingest.decoding import decode_reports
from tossup.server.refusals import Refused
from tossup.server.surveys.file import load_survey
from tossup.server.web.access import public
from tossup.server.web.middleware.receiving import receipt
from tossup.server.web.middleware.requests import read_body
from tossup.server.web.pages.respondent import tongues
from tossup.server.web.pages.respondent.policy import policy
from tossup.server.web.pages.respondent.views import shown
from tossup.server.web.pages.respondent.where import OnThisServer
from tossup.server.web.services import services
from tossup.shared.errors import TossupError
from tossup.shared.signing import b64url, public_bytes, sign_manifest
from tossup.shared.survey import Survey
from tossup.shared.wire import (
    MANIFEST_TYPE,
    REPORTS_TYPE,
    WITHDRAWALS_TYPE,
    Receipt,
    decode_withdrawal,
)


def install(blueprint: Blueprint) -> None:
    """Add the routes: the page, and what its script asks for."""
    blueprint.get("/try/<secret>")(trial)
    blueprint.get("/try/<secret>/v1/surveys/<survey_id>")(trial_manifest)
    blueprint.post("/try/<secret>/v1/reports")(trial_reports)
    blueprint.post("/try/<secret>/v1/withdrawals")(trial_withdrawals)


class OfATrial(OnThisServer):
    """The addresses of a page that sends to the trial alone, and links to nothing yet."""

    @property
    def survey(self) -> str:
        """Where the trial's manifest is."""
        secret = (request.view_args or {})["secret"]
        return url_for("authoring.trial_manifest", secret=secret, survey_id=self.of.id)

    @property
    def privacy(self) -> str:
        """Nothing: the privacy page is made when the survey is."""
        return ""

    @property
    def results(self) -> str:
        """Nothing: a trial has none."""
        return ""


@public
def trial(secret: str) -> Response:
    """Show the respondents' page of a draft."""
    survey = _survey(secret)
    tongues.choose(survey, [request.args.get("lang", ""), *request.accept_languages.values()])
    key = b64url(survey.publisher.key)
    where = OfATrial(survey, tongues.chosen(), key=key, is_trial=True)
    response = Response(render_template("respondent/survey.html", **shown(survey, where)))
    response.headers["Content-Security-Policy"] = policy()
    return response


@public
def trial_manifest(secret: str, survey_id: str) -> Response:
    """Return the draft as a manifest that nobody else trusts."""
    survey = _survey(secret)
    if survey.id != survey_id:
        raise _unknown()
    return Response(sign_manifest(survey.payload, _key()), content_type=MANIFEST_TYPE)


@public
def trial_reports(secret: str) -> Response:
    """Read reports as strictly as if they counted, and drop them."""
    survey = _survey(secret)
    batch = decode_reports(read_body(REPORTS_TYPE, "text/plain"), lambda _: survey)
    return receipt(Receipt(len(batch.ids)))


@public
def trial_withdrawals(secret: str) -> Response:
    """Say that reports are withdrawn which were never kept."""
    _survey(secret)
    _, ids = decode_withdrawal(read_body(WITHDRAWALS_TYPE, "text/plain"))
    return receipt(Receipt(len(ids)))


def _survey(secret: str) -> Survey:
    """Return the survey of the draft with this secret.

    Raises
    ------
    Refused
        ``not-found`` if there is none, or it cannot be asked yet.
    """
    drafts = services().store.drafts()
    draft = next((each for each in drafts if each.trial == secret and not each.published), None)
    if draft is None:
        raise _unknown()
    try:
        return load_survey(draft.text, public_bytes(_key()))
    except TossupError as error:
        raise _unknown() from error


def _unknown() -> Refused:
    return Refused("no draft is to be tried here: published, deleted, or not whole", "not-found")


@cache
def _key() -> Ed25519PrivateKey:
    """Return the key of this process's trials: what it signs is worth nothing elsewhere."""
    return Ed25519PrivateKey.generate()
