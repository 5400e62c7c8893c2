"""What views work with: one typed object at ``app.extensions["tossup"]``."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from flask import current_app

if TYPE_CHECKING:
    from tossup.server.answers import Answers
    from tossup.server.auth import Auth
    from tossup.server.config import Config
    from tossup.server.ingest import Ingest
    from tossup.server.metrics import Metrics
    from tossup.server.retention import Retention
    from tossup.server.store.base import Store
    from tossup.server.writer import Writer


@dataclass(frozen=True)
class Services:
    """The parts of a running server."""

    config: "Config"
    store: "Store"
    writer: "Writer"
    ingest: "Ingest"
    auth: "Auth"
    answers: "Answers"
    metrics: "Metrics"
    retention: "Retention"

    def close(self) -> None:
        """Commit what waits, answer it, and let go of the store."""
        self.retention.stop()
        self.writer.stop()
        self.store.close()


def services() -> Services:
    """Return the services of the application that handles this request."""
    return cast("Services", current_app.extensions["tossup"])
