"""The Flask application, made by one factory with its unsafe defaults closed.

Stage: HTTP. Flask's own session, static folder and body parsing are not used; every route says
who may call it, or the application does not start.
"""

from typing import TYPE_CHECKING, Final

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

from tossup.server.config import Config
from tossup.server.ingest.core import Ingest
from tossup.server.ingest.retention import Retention
from tossup.server.ingest.shards import ShardedWriter
from tossup.server.store import Store, open_store
from tossup.server.web import authoring
from tossup.server.web.access import check_access
from tossup.server.web.answers import Answers
from tossup.server.web.api import api
from tossup.server.web.aside import make_aside
from tossup.server.web.auth import Auth
from tossup.server.web.metrics import Metrics
from tossup.server.web.middleware import compression, copies, headers, problems, requests
from tossup.server.web.ops import ops
from tossup.server.web.pages import create_blueprint
from tossup.server.web.pages.respondent import views as respondent
from tossup.server.web.people.shown_once import ShownOnce
from tossup.server.web.people.sign_in import SignIn
from tossup.server.web.results_api import results_api
from tossup.server.web.services import Services

if TYPE_CHECKING:
    from collections.abc import Iterable
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

#: Readers wait in this part of the threads at most: all else keeps the others.
_READERS: Final = 4


class _Application(Flask):
    """Flask, but its log of an error shows no path and no traceback."""

    def log_exception(self, *_: object) -> None:
        """Log nothing: the handler of errors logs where it was raised."""


def create_app(config: Config, *, store: Store | None = None, reading: bool = False) -> Flask:
    """Return the application. Call ``app.extensions["tossup"].close()`` when done with it.

    Parameters
    ----------
    config
        All settings.
    store
        A store to use instead of the one that ``config`` names.
    reading
        Whether it only reads, and deletes nothing at the end of a retention.
    """
    # No SECRET_KEY: Flask's signed cookie cannot be revoked, so nothing may be kept in it.
    app = _Application("tossup.server", static_folder=None)
    # No redirect of // to /: an address has one form, and a redirect names a host.
    app.url_map.merge_slashes = False
    services = _services(config, store or open_store(config))
    if not reading:
        services.retention.start()
    app.extensions["tossup"] = services
    requests.register(app, config.hosts)
    problems.register(app, services.metrics)
    headers.register(app, secure=config.secure)
    compression.register(app)
    copies.register(app, config.threads // _READERS)
    for blueprint in (
        api,
        results_api,
        ops,
        create_blueprint(),
        respondent.create_blueprint(),
        authoring.create_blueprint(),
    ):
        app.register_blueprint(blueprint)
    check_access(app)
    if config.prefix:
        _prefix(app, config.prefix)
    if config.trusted_proxies:
        hops = config.trusted_proxies
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=0, x_proto=hops)  # type: ignore[method-assign]
    return app


def _prefix(app: Flask, prefix: str) -> None:
    """Let every address begin with what a proxy took away from the request's."""
    app.config["APPLICATION_ROOT"] = prefix  # where no request came in
    inner: WSGIApplication = app.wsgi_app

    def prefixed(environ: "WSGIEnvironment", start: "StartResponse") -> "Iterable[bytes]":
        environ["SCRIPT_NAME"] = prefix
        return inner(environ, start)

    app.wsgi_app = prefixed  # type: ignore[assignment, method-assign]


def _services(config: Config, store: Store) -> Services:
    writer, metrics = ShardedWriter(store, max_reports=config.max_reports), Metrics(problems.CODES)
    auth = Auth(store, secure=config.secure)
    return Services(
        config=config,
        store=store,
        writer=writer,
        ingest=Ingest(store, writer, metrics.count_received),
        auth=auth,
        sign_in=SignIn(store, auth, trusted_proxies=config.trusted_proxies),
        answers=_answers(config, store),
        metrics=metrics,
        retention=Retention(store),
        shown_once=ShownOnce(),
    )


def _answers(config: Config, store: Store) -> Answers:
    waiting = config.threads // _READERS
    return Answers(store, lambda asked: make_aside(config, store.today(), asked), waiting=waiting)
