"""Surveys written, tried, published and ended in a browser, by plain forms.

Stage: before and after ingest. A draft is a survey file in the store; a form shows a part of it
(`typed`), and what was typed is written back. `checking` says what is wrong and where, `price` what
it takes. Whatever the command line does with a file happens here by the same code of
`tossup.server.surveys`.
"""

from flask import Blueprint

from tossup.server.web.authoring import drafts, ending, listing, publishing, trial
from tossup.server.web.authoring.planning import page as planner
from tossup.server.web.pages import caching, errors
from tossup.server.web.pages.words import language

__all__ = ["create_blueprint"]


def create_blueprint() -> Blueprint:
    """Return the pages of authors, ready to be registered at the root of an app."""
    blueprint = Blueprint("authoring", __name__)
    for part in (caching, language, errors, listing, drafts, trial, publishing, ending, planner):
        part.install(blueprint)
    return blueprint
