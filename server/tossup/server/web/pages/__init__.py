"""The dashboard: what a survey's owner sees, rendered on the server.

Stage: estimate to page. Pages work without JavaScript, load nothing from another host, and hold
no inline style or script. A table is the truth; its charts draw the same numbers.

One file each: routes (`views`), what templates may call (`templating`), caching (`caching`),
languages (`language`), numbers and days as text (`numbers`), sentences (`words`), the design in
words (`facts`), chart geometry (`strips`, `trend`), the list (`overview`) and a results page
(`page`) as values.
"""

from flask import Blueprint

from tossup.server.web.pages import caching, errors, templating, views
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
    for part in (caching, language, templating, views, errors):
        part.install(blueprint)
    return blueprint
