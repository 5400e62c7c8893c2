"""What views work with: one typed object at ``app.extensions["tossup"]``."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from flask import current_app

if TYPE_CHECKING:
    from tossup.server.config import Config
    from tossup.server.ingest.core import Ingest
    from tossup.server.ingest.retention import Retention
    from tossup.server.ingest.shards import ShardedWriter
    from tossup.server.store.base import Store
    from tossup.server.web.answers import Answers
    from tossup.server.web.auth import Auth
    from tossup.server.web.metrics import Metrics
    from tossup.server.web.people.shown_once import ShownOnce
    from tossup.server.web.people.sign_in import SignIn


@dataclass(frozen=True)
class Services:
    """The parts of a running server."""

    config: "Config"
    store: "Store"
    writer: "ShardedWriter"
    ingest: "Ingest"
    auth: "Auth"
    sign_in: "SignIn"
    answers: "Answers"
    metrics: "Metrics"
    retention: "Retention"
    shown_once: "ShownOnce"

    def close(self) -> None:
        """Commit what waits, answer it, and let go of the store."""
        self.retention.stop()
        self.writer.stop()
        self.store.close()


def services() -> Services:
    """Return the services of the application that handles this request."""
    return cast("Services", current_app.extensions["tossup"])
