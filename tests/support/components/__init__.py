"""A page of all parts that pages are built of, each with something to show: `make components`.

The surveys are made up and their reports are simulated from a seed (`surveys`); the parts are
rendered by the pages' own templates (`page`), so that what is seen here is what users see.
"""

from flask import Blueprint, Flask

from components import page
from tossup.server.web.access import public
from tossup.server.web.pages import caching, errors
from tossup.server.web.pages.words import language


def register(app: Flask) -> None:
    """Add the page to an application, at ``/_components``."""
    blueprint = Blueprint("components", __name__, template_folder="templates")
    for part in (caching, language, errors):
        part.install(blueprint)
    blueprint.get("/_components")(components)
    app.register_blueprint(blueprint)


@public
def components() -> str:
    """Show the parts that pages are built of."""
    return page.components()
