"""Run the application on uvicorn: one process, one writer, until it is told to stop.

Stage: HTTP. See ``docs/decisions/0025-an-asynchronous-server.md``. There is no access log.
"""

import asyncio
import ctypes
import gc
import logging
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

import uvicorn
from flask import Flask

from tossup.server.config import Config
from tossup.server.web.app import create_app
from tossup.server.web.serving.connection import Connection
from tossup.server.web.serving.connections import IDLE_SECONDS, SWEEP_SECONDS, connection_limit
from tossup.server.web.serving.gateway import Gateway

_BACKLOG: Final = 1024
#: So long a stopping server waits for those who have begun a request.
_STOPPING_SECONDS: Final = 10
_TICKS_A_SECOND: Final = 10  # uvicorn's
#: What mallopt(3) calls the most that stays with the process once it is freed, and the least that
#: the system gives and takes by itself; and ours.
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
_KEPT_BYTES, _LARGE_BYTES = 8 << 20, 4 << 20


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
    # They would log addresses and tracebacks; what matters is logged where it happens.
    for name in ("asyncio", "uvicorn"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    app = app or create_app(config)
    # Each full collection would look through all modules again for 30 ms, and nobody is answered.
    gc.collect()
    gc.freeze()
    keep_freed_memory()
    try:
        _run(app, config, ready)
    finally:
        app.extensions["tossup"].close()


def keep_freed_memory() -> None:
    """Let glibc keep some megabytes that are freed; other systems go on as they do.

    A commit takes as much as the last one freed. Where that went back to the system, it comes page
    by page, each filled with zeros.
    """
    if sys.platform == "linux":
        mallopt = getattr(ctypes.CDLL(None), "mallopt", lambda _option, _bytes: None)
        mallopt(_TRIM_THRESHOLD, _KEPT_BYTES)
        mallopt(_MMAP_THRESHOLD, _LARGE_BYTES)


class _Server(uvicorn.Server):
    """Uvicorn, which says when it is ready, ends late clients, and returns when it is stopped."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept connections, and say so."""
        await super().startup(sockets=sockets)
        self._ready()

    async def on_tick(self, counter: int) -> bool:
        """End the connections of late clients, every few seconds."""
        if counter % (_TICKS_A_SECOND * SWEEP_SECONDS) == 0:
            now = asyncio.get_running_loop().time()
            for connection in list(self.server_state.connections):
                if isinstance(connection, Connection):
                    connection.end_late(now)
        return await super().on_tick(counter)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop in order on SIGTERM and SIGINT; uvicorn would raise them again at the end."""

        def stop(_number: int, _frame: FrameType | None) -> None:
            self.should_exit = True

        before = {number: signal.signal(number, stop) for number in (signal.SIGTERM, signal.SIGINT)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def _run(app: Flask, config: Config, ready: Callable[[str], None]) -> None:
    listener, gateway = _listen(config), Gateway(app, config.threads)
    try:
        _Server(_settings(gateway, config), lambda: ready(_url(config, listener))).run([listener])
    finally:
        listener.close()
        gateway.close()


def _settings(gateway: Gateway, config: Config) -> uvicorn.Config:
    most = connection_limit(config.threads)
    return uvicorn.Config(
        gateway,
        http=type("Connection", (Connection,), {"most": most}),
        loop="asyncio",
        ws="none",
        lifespan="off",
        interface="asgi3",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        backlog=_BACKLOG,
        timeout_keep_alive=IDLE_SECONDS,
        timeout_graceful_shutdown=_STOPPING_SECONDS,
    )


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
    is_ipv6 = listener.family == socket.AF_INET6
    return config.address(listener.getsockname()[1], is_ipv6=is_ipv6)
