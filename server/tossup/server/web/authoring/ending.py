"""Routes of a survey that is published: its next version, its closing and reopening, its deletion.

Stage: after publishing. Each asks on a page of its own, which says what is lost.
"""

from http import HTTPStatus

from flask import Blueprint, render_template, request, url_for

from tossup.server.refusals import Refused
from tossup.server.surveys import lifecycle
from tossup.server.web.access import require
from tossup.server.web.authoring.checking import read
from tossup.server.web.authoring.drafts import Answer, keep, see
from tossup.server.web.services import services


def install(blueprint: Blueprint) -> None:
    """Add the routes."""
    for name, form, done in (
        ("next", next_form, begin_next),
        ("close", close_form, close),
        ("delete", delete_survey_form, delete_survey),
    ):
        blueprint.get(f"/surveys/<survey_id>/{name}")(form)
        blueprint.post(f"/surveys/<survey_id>/{name}", endpoint=done.__name__)(done)
    blueprint.post("/surveys/<survey_id>/reopen")(reopen)


@require("owner")
def next_form(survey_id: str) -> str:
    """Say what a next version is, and where it begins."""
    record = services().store.survey(survey_id)
    return render_template(
        "authoring/next.html", record=record, survey=record.survey, text=_file_of(survey_id)
    )


@require("owner")
def begin_next(survey_id: str) -> Answer:
    """Begin a draft with what the survey says now."""
    text = _file_of(survey_id)
    if text is None:
        return see(url_for("authoring.import_form"))
    return see(url_for("authoring.draft", number=keep(read(text))))


@require("owner")
def close_form(survey_id: str) -> str:
    """Ask before a survey is closed, or opened again."""
    record = services().store.survey(survey_id)
    fault = lifecycle.fault_of_reopening(record, services().store.today())
    return render_template("authoring/close.html", record=record, survey=record.survey, fault=fault)


@require("owner")
def close(survey_id: str) -> Answer:
    """Close a survey."""
    lifecycle.close(services().store, survey_id)
    return see(url_for("dashboard.survey", survey_id=survey_id))


@require("owner")
def reopen(survey_id: str) -> Answer:
    """Open a survey again that was closed by hand, until its last day."""
    lifecycle.reopen(services().store, survey_id)
    return see(url_for("dashboard.survey", survey_id=survey_id))


@require("owner")
def delete_survey_form(survey_id: str) -> str:
    """Ask before a survey is deleted, with what is lost."""
    return _delete_page(survey_id)


@require("owner")
def delete_survey(survey_id: str) -> Answer:
    """Delete a survey, if its address was typed and no more is lost than the page said."""
    losing = request.form.get("losing", "")
    if request.form.get("address", "").strip() != survey_id or not _is_number(losing):
        return _delete_page(survey_id, "address"), HTTPStatus.UNPROCESSABLE_ENTITY
    try:
        lifecycle.delete(services().store, survey_id, int(losing))
    except Refused as error:
        return _delete_page(survey_id, str(error)), HTTPStatus.UNPROCESSABLE_ENTITY
    return see(url_for("dashboard.surveys"))


def _delete_page(survey_id: str, wrong: str = "") -> str:
    record = services().store.survey(survey_id)
    return render_template(
        "authoring/delete.html", record=record, survey=record.survey, wrong=wrong
    )


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 18


def _file_of(survey_id: str) -> str | None:
    """Return the survey file that became the current version here; None if it was written away."""
    digest = services().store.survey(survey_id).survey.digest
    found = (draft.text for draft in services().store.drafts() if draft.published == digest)
    return next(found, None)
