"""For the tests of host apps: a survey's server in memory, behind the transport interface.

Everything else is real: signatures are checked, coins are tossed, the store is on disk.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from tossup.client.errors import TransportError
from tossup.client.upload.transport import Response
from tossup.shared import strict_json, wire
from tossup.shared.signing import unb64url
from tossup.shared.survey import Survey


@dataclass(frozen=True, slots=True)
class ReceivedReport:
    """A report as the server has it: randomized values and public attributes, by id."""

    manifest: str
    columns: Mapping[str, int]
    attributes: Mapping[str, int]


@dataclass
class MemoryServer:
    """A transport that answers as a Tossup server does, and keeps what it was sent.

    Parameters
    ----------
    envelope
        The signed manifest of the one survey that it serves.

    Attributes
    ----------
    online
        While it is False, every request fails as without a network.
    reports, withdrawn
        What arrived: reports by report id, each counted once; ids withdrawn.

    Examples
    --------
    >>> from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    >>> from tossup.shared.signing import public_bytes, sign_manifest
    >>> key = Ed25519PrivateKey.generate()
    >>> survey = example_survey(public_bytes(key))
    >>> server = MemoryServer(sign_manifest(survey.payload, key))
    >>> from tempfile import TemporaryDirectory
    >>> from tossup.client import Client
    >>> with TemporaryDirectory() as folder:
    ...     client = Client(
    ...         "https://survey.example/v1/surveys/example",
    ...         public_bytes(key),
    ...         store=folder + "/tossup.db",
    ...         transport=server,
    ...     )
    ...     client.answer({"question": True}), client.flush().sent, len(server.reports)
    (<Outcome.QUEUED: 'queued'>, 1, 1)
    """

    envelope: bytes
    online: bool = True
    reports: dict[bytes, ReceivedReport] = field(default_factory=dict)
    withdrawn: set[bytes] = field(default_factory=set)

    def request(
        self,
        method: str,
        url: str,
        headers: Mapping[str, str],  # noqa: ARG002 - part of the interface
        body: bytes | None,
        timeout_seconds: int,  # noqa: ARG002
    ) -> Response:
        """Answer one request.

        Raises
        ------
        TransportError
            While ``online`` is False.
        """
        if not self.online:
            raise TransportError("the server in memory is offline")
        if method == "GET":
            return Response(200, {"content-type": wire.MANIFEST_TYPE}, self.envelope)
        if url.endswith("/v1/withdrawals"):
            ids = wire.decode_withdrawal(body or b"")[1]
            self.withdrawn.update(ids)
            return _receipt(len(ids))
        return self._count(body or b"")

    def _count(self, body: bytes) -> Response:
        batch = wire.decode_batch(body, _survey_of(self.envelope))
        for place, report_id in enumerate(batch.ids):
            report = ReceivedReport(
                manifest=batch.manifest,
                columns={name: column[place] for name, column in batch.columns.items()},
                attributes={name: column[place] for name, column in batch.attributes.items()},
            )
            self.reports.setdefault(report_id, report)
        return _receipt(len(batch.ids))


@lru_cache(maxsize=16)
def _survey_of(envelope: bytes) -> Survey:
    match strict_json.loads(envelope, len(envelope)):
        case {"payload": str(payload)}:
            return Survey.parse(unb64url(payload))
        case _:
            raise TransportError("the envelope is not a signed manifest")


def example_survey(publisher_key: bytes) -> Survey:
    """Return a survey with one yes/no question, ready to sign with the publisher's key."""
    from tossup.shared.mechanisms import TwoCoin
    from tossup.shared.survey import Publisher, Question

    text = {"en": "An example"}
    return Survey(
        id="example",
        version=1,
        previous=None,
        publisher=Publisher("Example University", publisher_key, "office@example.org"),
        title=text,
        purpose=text,
        languages=("en",),
        questions=(Question("question", "example-topic", text, (), TwoCoin()),),
        attributes=(),
        linkage="none",
        minimum_batch=100,
        opens=None,
        closes=None,
        retention_days=365,
        results="private",
    )


def _receipt(received: int) -> Response:
    body = wire.encode_receipt(wire.Receipt(received))
    return Response(200, {"content-type": wire.RECEIPT_TYPE}, body)
