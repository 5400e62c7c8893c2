"""A page of all parts that pages are built of, each with something to show.

Stage: estimate to page, for developers only (``FLASK_DEBUG=1``). The surveys are made up and their
reports are simulated from a seed (`survey`); the parts are rendered by the pages' own templates
(`page`), so that what is seen here is what users see.
"""

from http import HTTPStatus

from flask import Blueprint, abort, current_app

from tossup.server.web.access import public
from tossup.server.web.pages import caching, errors
from tossup.server.web.pages.words import language

__all__ = ["create_blueprint"]


def create_blueprint() -> Blueprint:
    """Return the page of components, ready to be registered at the root of an app."""
    blueprint = Blueprint("samples", __name__)
    for part in (caching, language, errors):
        part.install(blueprint)
    blueprint.get("/_components")(components)
    return blueprint


@public
def components() -> str:
    """Show the parts that pages are built of, while developing (``FLASK_DEBUG=1``)."""
    if not current_app.debug:
        abort(HTTPStatus.NOT_FOUND)
    from tossup.server.web.samples import page  # which only developers' servers load

    return page.components()
