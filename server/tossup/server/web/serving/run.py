"""Run the application on waitress: one process, one writer, until it is told to stop.

Stage: HTTP. See ``docs/decisions/0005-waitress.md``. There is no access log.
"""

import logging
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from flask import Flask
from waitress import create_server  # type: ignore[import-untyped]

from tossup.server.config import Config
from tossup.server.web.app import create_app
from tossup.server.web.serving.connections import (
    HAS_POLL,
    IDLE_SECONDS,
    SWEEP_SECONDS,
    connection_limit,
)
from tossup.server.web.serving.waitress_channel import Channel
from tossup.shared.wire import MAX_BODY_BYTES

_MAX_HEADER_BYTES = 16 * 1024
_BACKLOG = 1024


def serve(config: Config, ready: Callable[[str], None], *, app: Flask | None = None) -> None:
    """Serve until SIGTERM or SIGINT; then finish what was begun, commit it, and return.

    Parameters
    ----------
    config
        All settings. Port 0 takes a free port.
    ready
        Called once, with the server's URL, when connections are accepted.
    app
        The application, if it is not to be made from ``config``.
    """
    # Waitress would log paths and tracebacks; what matters is logged where it happens.
    logging.getLogger("waitress").setLevel(logging.CRITICAL)
    app = app or create_app(config)
    try:
        _run(app, config, ready)
    finally:
        app.extensions["tossup"].close()


def _run(app: Flask, config: Config, ready: Callable[[str], None]) -> None:
    listener = _listen(config)
    server = create_server(
        app,
        sockets=[listener],
        threads=config.threads,
        ident=None,
        backlog=_BACKLOG,
        connection_limit=connection_limit(config.threads),
        channel_timeout=IDLE_SECONDS,
        cleanup_interval=SWEEP_SECONDS,
        asyncore_use_poll=HAS_POLL,
        max_request_body_size=MAX_BODY_BYTES + 1,  # the first length that waitress refuses
        max_request_header_size=_MAX_HEADER_BYTES,
        clear_untrusted_proxy_headers=not config.trusted_proxies,
    )
    server.channel_class = Channel
    try:
        with _stopped_by_signals():
            ready(_url(config, listener))
            server.run()
    finally:
        server.close()


def _listen(config: Config) -> socket.socket:
    """Return a bound socket; the host may be a name, and then its first address counts."""
    family, kind, protocol, _, address = socket.getaddrinfo(
        config.host, config.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    listener = socket.socket(family, kind, protocol)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
    except BaseException:
        listener.close()
        raise
    return listener


def _url(config: Config, listener: socket.socket) -> str:
    if config.public_url:
        return config.public_url.rstrip("/")
    host = config.host
    if config.is_wildcard:
        # No server is reached under 0.0.0.0 or ::, and requests for those names are refused.
        host = "::1" if listener.family == socket.AF_INET6 else "127.0.0.1"
    host = f"[{host}]" if ":" in host else host
    return f"http://{host}:{listener.getsockname()[1]}"


@contextmanager
def _stopped_by_signals() -> Iterator[None]:
    """Turn SIGTERM and SIGINT into SystemExit, on which waitress finishes its requests."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise SystemExit

    before = {number: signal.signal(number, stop) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
