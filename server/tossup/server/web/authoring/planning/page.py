"""The planner's page: a form that is sent by its address, and what it comes to."""

from collections.abc import Mapping
from http import HTTPStatus

from flask import Blueprint, render_template, request

from tossup.server.kinds import FORMS
from tossup.server.web.access import require
from tossup.server.web.authoring import words
from tossup.server.web.authoring.drafts import Answer
from tossup.server.web.authoring.planning.planned import CannotBePlanned, Plan, plan
from tossup.server.web.authoring.planning.wish import DEFAULTS, read
from tossup.server.web.authoring.planning.words import epsilon, estimated_in_words, margin
from tossup.server.web.pages.words.language import gettext


def install(blueprint: Blueprint) -> None:
    """Add the route."""
    blueprint.get("/plan")(planner)
    for helper in (margin, epsilon):
        blueprint.add_app_template_filter(helper)


@require("viewer")
def planner() -> Answer:
    """Plan a question: how many must answer, or how exact it becomes."""
    page, is_planned = plan_page({**DEFAULTS, **request.args.to_dict()})
    return page if is_planned else (page, HTTPStatus.UNPROCESSABLE_ENTITY)


def plan_page(form: Mapping[str, str]) -> tuple[str, bool]:
    """Return the page of a plan that was typed, and whether it can be planned."""
    wish, wrong = read(form)
    made: Plan | None = None
    refused = None
    if wish is not None:
        try:
            made = plan(wish)
        except CannotBePlanned as error:
            refused = str(error)
    page = render_template(
        "authoring/plan.html",
        typed=form,
        by_field=wrong,
        plan=made,
        refused=refused,
        forms=words.offered(FORMS),
        told=words,
        estimated=estimated_in_words,
        wants=_wants(),
    )
    return page, made is not None


def _wants() -> dict[str, str]:
    return {
        "margin": gettext("How many people a margin takes"),
        "people": gettext("How exact so many people make it"),
        "difference": gettext("How many people tell groups apart"),
        "demands": gettext("Which odds meet several demands"),
    }
