"""The whole road in one process: a published survey, and the SDK's transport straight into it."""

import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from flask.testing import FlaskClient

from tossup.client import Response
from tossup.server.config import Config
from tossup.server.store import SQLiteStore
from tossup.server.surveys.lifecycle import publish
from tossup.server.web.app import create_app
from tossup.shared.signing import sign_manifest
from tossup.shared.survey import Survey
from tossup.shared.wire import REPORTS_TYPE, Batch, encode_batch

HOST = "https://survey.example"


@contextmanager
def serving(
    config: Config, store: SQLiteStore, survey: Survey, key: Ed25519PrivateKey
) -> Iterator[FlaskClient]:
    """Give a client of an application that has published a survey."""
    app = create_app(config, store=store)
    publish(store, sign_manifest(survey.payload, key))
    yield app.test_client()
    app.extensions["tossup"].close()


class InProcess:
    """The SDK's transport straight into the application."""

    def __init__(self, http: FlaskClient) -> None:
        self.http = http

    def request(self, method, url, headers, body, timeout_seconds) -> Response:
        answer = self.http.open(url.removeprefix(HOST), method=method, headers=headers, data=body)
        lowered = {name.lower(): value for name, value in answer.headers.items()}
        return Response(answer.status_code, lowered, answer.data)


def send(
    http: FlaskClient,
    survey: Survey,
    question: str,
    reports: Sequence[int],
    publics: Mapping[str, Sequence[int]] | None = None,
) -> list[bytes]:
    """Send reports to a question, a thousand at a time, and return their ids.

    ``publics`` has the option of each public attribute, one a report.
    """
    ids = [secrets.token_bytes(16) for _ in reports]
    for at in range(0, len(ids), 1000):
        part = slice(at, at + 1000)
        told = {name: tuple(options[part]) for name, options in (publics or {}).items()}
        batch = Batch(survey.digest, tuple(ids[part]), {question: tuple(reports[part])}, told)
        body = encode_batch(batch, survey)
        answer = http.post("/v1/reports", data=body, content_type=REPORTS_TYPE)
        assert (200, len(ids[part])) == (answer.status_code, answer.json["received"])
    return ids
