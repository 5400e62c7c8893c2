"""A page of all parts that pages are built of, each with something to show.

Stage: estimate to page, for developers only (``FLASK_DEBUG=1``). The surveys are made up and their
reports are simulated from a seed (`survey`); the parts are rendered by the pages' own templates
(`page`), so that what is seen here is what users see.
"""

from flask import Blueprint

from tossup.server.web.pages import caching, errors
from tossup.server.web.pages.words import language
from tossup.server.web.samples import page

__all__ = ["create_blueprint"]


def create_blueprint() -> Blueprint:
    """Return the page of components, ready to be registered at the root of an app."""
    blueprint = Blueprint("samples", __name__)
    for part in (caching, language, errors, page):
        part.install(blueprint)
    return blueprint
