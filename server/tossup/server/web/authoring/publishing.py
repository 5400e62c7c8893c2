"""Routes that publish a draft: what it changes, who signs it, and how it is shared.

Stage: publishing. The key that signs is the publisher, and devices pin it. It is a file on this
server, or it never comes here: then the file, or the bytes to sign, go out, and what was signed
elsewhere, or in the author's browser, comes in.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from http import HTTPStatus
from math import ceil
from pathlib import Path

from flask import Blueprint, Response, render_template, request, url_for

from tossup.server.refusals import Refused
from tossup.server.store.drafts import Draft
from tossup.server.store.envelopes import verified_survey
from tossup.server.store.records import SurveyUnknown
from tossup.server.surveys import lifecycle
from tossup.server.surveys.file import load_survey
from tossup.server.surveys.meaning import Change, changes
from tossup.server.surveys.publishing import publisher
from tossup.server.surveys.publishing.browsers import kept_from_browsers
from tossup.server.surveys.publishing.promised import weaker
from tossup.server.surveys.topics import SharedTopic
from tossup.server.web.access import require
from tossup.server.web.authoring import price
from tossup.server.web.authoring.checking import NO_KEY, check, title_of
from tossup.server.web.authoring.drafts import Answer, find, see
from tossup.server.web.pages.respondent.where import public_link
from tossup.server.web.services import services
from tossup.shared.errors import ManifestError, TossupError, WireError
from tossup.shared.signing import MANIFEST_TYPE, b64url, public_bytes, sign_manifest, unb64url
from tossup.shared.survey import Survey


def install(blueprint: Blueprint) -> None:
    """Add the routes."""
    blueprint.get("/drafts/<int:number>/publish")(publish_form)
    blueprint.post("/drafts/<int:number>/publish", endpoint="publish")(publish)
    blueprint.get("/drafts/<int:number>/payload")(payload)
    blueprint.get("/surveys/<survey_id>/share")(share)


@dataclass(frozen=True, slots=True)
class Step:
    """What publishing a draft would do.

    Attributes
    ----------
    survey
        What would be published, but for the key.
    before
        The version that is here; None for a new survey.
    worded
        What is worded otherwise than before under the same ids.
    weaker
        Promises to respondents that become weaker, in English.
    gone, new
        Ids of questions and groups that are asked no more, and of those that are added.
    topics
        Topics that another survey here asks, too.
    """

    survey: Survey
    before: Survey | None = None
    worded: tuple[Change, ...] = ()
    weaker: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    new: tuple[str, ...] = ()
    topics: tuple[SharedTopic, ...] = ()

    @property
    def can_be(self) -> bool:
        """Whether nothing is said otherwise that must not be, whoever says that it is the same."""
        return all(change.can_be_declared for change in self.worded)

    @property
    def names(self) -> tuple[str, ...]:
        """The ids that have to be declared to mean the same."""
        return tuple(sorted({change.id for change in self.worded}))


@require("owner")
def publish_form(number: int) -> Answer:
    """Show what publishing would do, and who signs."""
    draft = find(number)
    if check(draft.text).survey is None:
        return see(url_for("authoring.draft", number=number, checked=1))
    return publish_page(draft)


@require("owner")
def publish(number: int) -> Answer:
    """Sign and publish a draft, or take what was signed elsewhere."""
    draft = find(number)
    step = _step(draft)
    said = request.form
    if (step.names and "same" not in said) or (step.weaker and "weaker" not in said):
        return publish_page(draft, unsaid=True), HTTPStatus.UNPROCESSABLE_ENTITY
    try:
        envelope = _envelope(draft)
        # The draft's own check has held each question to the file's `question_cap`.
        cap = max(1, *(ceil(step.survey.cost(each)) for each in step.survey.questions))
        made = lifecycle.publish(services().store, envelope, question_cap=cap)
    except TossupError as error:
        return publish_page(draft, str(error)), HTTPStatus.UNPROCESSABLE_ENTITY
    services().store.end_draft(number, made.digest)
    return see(url_for("authoring.share", survey_id=made.id, published=1))


@require("owner")
def payload(number: int) -> Response:
    """Send the bytes that a key signs to publish a draft; ``?key=`` is its public half."""
    try:
        key = unb64url(request.args.get("key", ""))
    except WireError as error:
        raise Refused(f"key: {error}", "manifest-invalid") from error
    if len(key) != len(NO_KEY):
        raise Refused(f"key: a public key has {len(NO_KEY)} bytes", "manifest-invalid")
    content = _step(find(number), key).survey.payload
    return Response(content, content_type="application/octet-stream")


@require("owner")
def share(survey_id: str) -> str:
    """Show the link for respondents, its code to scan, and how to put it into a page."""
    record = services().store.survey(survey_id)
    link = public_link(services().config, record.survey)
    return render_template(
        "authoring/share.html",
        survey=record.survey,
        record=record,
        link=link,
        kept=kept_from_browsers(record.survey),
        is_new="published" in request.args,
    )


def publish_page(draft: Draft, wrong: str = "", *, unsaid: bool = False) -> str:
    """Return the page that asks who signs a draft; ``wrong`` says why it was not published.

    ``unsaid`` says that something was not ticked that has to be meant.
    """
    checked = check(draft.text)
    step = _step(draft)
    path = key_path()
    return render_template(
        "authoring/publish.html",
        draft=draft,
        step=step,
        title=title_of(checked.table),
        together=price.together(step.survey),
        kept=kept_from_browsers(step.survey),
        needed=price.dearest(checked.table),
        key_path=path,
        manifest_type=MANIFEST_TYPE,
        has_key=path is not None and path.exists(),
        may_sign=_may_sign(step, path),
        signed_by=b64url(step.before.publisher.key) if step.before else "",
        wrong=wrong,
        unsaid=unsaid,
    )


def _may_sign(step: Step, path: Path | None) -> bool:
    """Return whether devices take this version by the server's key: they pin who signed before."""
    if path is None or step.before is None:
        return path is not None
    try:
        return public_bytes(publisher.load(path)) == step.before.publisher.key
    except publisher.KeyFileError:
        return False


def key_path() -> Path | None:
    """Return where the server's key is, or would be; None if this user has no place for one."""
    try:
        return services().config.publisher_key or publisher.default_path()
    except publisher.KeyFileError:
        return None


def _step(draft: Draft, key: bytes = NO_KEY) -> Step:
    """Return what publishing would do, with this publisher's key."""
    store = services().store
    first = _loaded(draft, key)
    try:
        before = store.survey(first.id).survey
    except SurveyUnknown:
        return Step(first, topics=lifecycle.topics_asked_elsewhere(store, first))
    earlier = store.manifests(first.id)
    made = _loaded(draft, key, before)
    worded = changes(made, earlier)
    made = replace(made, same_meaning=tuple(sorted({change.id for change in worded})))
    return Step(
        made,
        before,
        worded,
        tuple(line for _, line in weaker(made, before)),
        tuple(name for name in _names(before) if name not in _names(made)),
        tuple(name for name in _names(made) if name not in _names(before)),
        lifecycle.topics_asked_elsewhere(store, made),
    )


def _loaded(draft: Draft, key: bytes, before: Survey | None = None) -> Survey:
    try:
        if before is None:
            return load_survey(draft.text, key)
        return load_survey(draft.text, key, version=before.version + 1, previous=before.digest)
    except TossupError as error:
        raise Refused(str(error), "manifest-invalid") from error


def _names(survey: Survey) -> Sequence[str]:
    return [each.id for each in survey.questions] + [each.id for each in survey.asked_attributes]


def _envelope(draft: Draft) -> bytes:
    """Return the signed draft, by the key that was chosen."""
    by = request.form.get("by")
    if by == "elsewhere":
        return _uploaded(draft)
    if by == "server":
        return _signed(draft)
    raise Refused("choose who signs: nothing was signed", "manifest-invalid")


def _signed(draft: Draft) -> bytes:
    """Return the draft signed with the server's key, which is made where there is none."""
    path = services().config.publisher_key or publisher.default_path()
    key = publisher.load(path) if path.exists() else publisher.create(path)
    return sign_manifest(_step(draft, public_bytes(key)).survey.payload, key)


def _uploaded(draft: Draft) -> bytes:
    """Return what was signed elsewhere, if it is this draft.

    Raises
    ------
    Refused
        ``manifest-invalid`` if it is not.
    """
    uploaded = request.files.get("file")
    sent = uploaded.read() if uploaded else b""
    envelope = sent or request.form.get("envelope", "").strip().encode()
    try:
        survey = verified_survey(envelope)
    except ManifestError as error:
        raise Refused(str(error), "manifest-invalid") from error
    if survey.payload != _step(draft, survey.publisher.key).survey.payload:
        raise Refused(
            "what was signed is not this draft as it stands; take its file out again, and sign it",
            "manifest-invalid",
        )
    return envelope
