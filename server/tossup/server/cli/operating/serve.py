"""``tossup serve``: run the collection server."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from tossup.server.cli.operating.folder import data_option, failures_explained, load_config
from tossup.server.cli.output import Failure, emit, json_option, note

if TYPE_CHECKING:
    from tossup.server.config import Config
    from tossup.server.web.auth import Auth

#: What to do where a socket cannot listen, by the number of the error.
_LISTENING: Final = {
    errno.EADDRINUSE: "tossup serve --port 0, which takes a free one",
    errno.EACCES: "take a port above 1023; a proxy listens on 80 and 443",
}


@click.command()
@data_option
@click.option(
    "--database",
    "database_url",
    metavar="URL",
    help="A PostgreSQL database, postgresql://user@host/name, in place of the folder; else"
    " TOSSUP_DATABASE_URL. Keep its password in ~/.pgpass.",
)
@click.option(
    "--replica",
    "replica_url",
    metavar="URL",
    help="A standby of that database, from which results are read; else TOSSUP_REPLICA_URL.",
)
@click.option("--host", help="Where to listen; else TOSSUP_HOST, else this machine only.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    help="Port, 0 for a free one; else TOSSUP_PORT, else 8080.",
)
@click.option(
    "--threads", type=click.IntRange(1), help="Requests served at once; else TOSSUP_THREADS."
)
@click.option("--public-url", help="How the world reaches it: https://...; else TOSSUP_PUBLIC_URL.")
@json_option
def serve(
    *,
    data: Path | None,
    database_url: str | None,
    replica_url: str | None,
    host: str | None,
    port: int | None,
    threads: int | None,
    public_url: str | None,
    as_json: bool,
) -> None:
    """Run the collection server until Ctrl-C.

    Prints its address, a one-time sign-in link and, on the first start, an API key that is
    shown this once. With --json: one line with these, when it is ready.
    """
    from tossup.server.config import ignored_variables
    from tossup.server.web.app import create_app
    from tossup.server.web.pages.templating import load
    from tossup.server.web.serving.preparing import prepare
    from tossup.server.web.serving.run import serve as serve_app

    config = load_config(
        data=data,
        database_url=database_url,
        replica_url=replica_url,
        host=host,
        port=port,
        threads=threads,
        public_url=public_url,
    )
    if ignored := ignored_variables():
        note(
            f"Ignored, since they are no settings: {', '.join(ignored)}. Kubernetes sets some for"
            " services whose name begins with tossup; enableServiceLinks: false leaves them out."
        )
    with failures_explained(config), _no_threads_explained():
        app = create_app(config)
        auth = app.extensions["tossup"].auth
        first_start = not app.extensions["tossup"].store.keys()
        load(app)
        prepare(app)
        ready = partial(_greet, config=config, auth=auth, first_start=first_start, as_json=as_json)
        try:
            serve_app(config, ready, app=app)
        except OSError as error:
            raise Failure(
                f"cannot listen on {config.host}, port {config.port}: {error.strerror}",
                _LISTENING.get(error.errno or 0, "name an address of this machine with --host"),
            ) from error


@contextmanager
def _no_threads_explained() -> Iterator[None]:
    """Turn Python's only word for a limit of the system into a failure of the command."""
    try:
        yield
    except RuntimeError as error:
        if "new thread" not in str(error):
            raise
        raise Failure(
            "the system lets the server start no more threads",
            "tossup serve --threads 4, or let it have more: ulimit -u, TasksMax= of a unit, the"
            " limit of processes of a container",
        ) from error


def sign_in_address(url: str, secret: str) -> str:
    """Return the address that a one-time link opens."""
    return f"{url.rstrip('/')}/sign-in/{secret}"


def _greet(url: str, *, config: "Config", auth: "Auth", first_start: bool, as_json: bool) -> None:
    key = auth.create_key("first start") if first_start else None
    link = sign_in_address(url, auth.create_link())
    lines = [f"Tossup listens at {url}", f"Sign in, once, within the hour: {link}"]
    if key:
        lines += ["The API key, shown this once:", f"  export TOSSUP_API_KEY={key}"]
    if config.is_wildcard and not (config.public_url or config.trusted_hosts):
        note(
            f"It listens on every address of this machine, but answers to"
            f" {', '.join(sorted(config.hosts))} only."
            " Name others it is reached under: TOSSUP_TRUSTED_HOSTS=name,name or --public-url."
        )
    emit({"url": url, "sign_in": link, "api_key": key}, "\n".join(lines), as_json=as_json)
