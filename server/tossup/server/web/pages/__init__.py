"""The dashboard: what a survey's owner sees, rendered on the server.

Stage: estimate to page. Pages work without JavaScript, load nothing from another host, and hold
no inline style or script. A table has the numbers, and its charts draw the same ones.

Routes (`views`) render a list (`overview`) or a results page (`page`), with what templates may call
(`templating`), the design in words (`facts`), drawings (`figures`) and sentences (`words`).
"""

from flask import Blueprint

from tossup.server.web.pages import caching, errors, taking_along, templating, views
from tossup.server.web.pages.people import members, signing_in
from tossup.server.web.pages.words import language

__all__ = ["create_blueprint"]


def create_blueprint() -> Blueprint:
    """Return the dashboard, ready to be registered at the root of an app.

    The app's ``extensions["tossup"]`` must hold the server's services.
    """
    blueprint = Blueprint(
        "dashboard",
        __name__,
        template_folder="templates",
        static_folder="static",
        static_url_path="/assets",
    )
    for part in (caching, language, templating, views, taking_along, signing_in, members, errors):
        part.install(blueprint)
    return blueprint
