"""For the tests of host apps: a survey's server in memory, behind the transport interface.

Everything else is real: signatures are checked, coins are tossed, the store is on disk. What the
device takes for the time is real too, unless a test says otherwise (`clock_at`).
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from typing import TYPE_CHECKING

from tossup.client.asking import now
from tossup.client.errors import TransportError
from tossup.client.upload.transport import Response
from tossup.shared import strict_json, wire
from tossup.shared.signing import unb64url
from tossup.shared.survey import WAVE, Survey

if TYPE_CHECKING:
    from tossup.shared.waves import Waves


@dataclass(frozen=True, slots=True)
class ReceivedReport:
    """A report as the server has it: randomized values and public attributes, by id."""

    manifest: str
    columns: Mapping[str, int]
    attributes: Mapping[str, int]

    @property
    def wave(self) -> int | None:
        """Which wave it is for, from 1; None in a survey without waves."""
        place = self.attributes.get(WAVE)
        return None if place is None else place + 1


@dataclass
class MemoryServer:
    """A transport that answers as a Tossup server does, and keeps what it was sent.

    Parameters
    ----------
    envelope
        The signed manifest of the one survey that it serves. Set another one for a new version:
        both are known from then on, as reports of devices that have not fetched it say.

    Attributes
    ----------
    online
        While it is False, every request fails as without a network.
    closed
        While it is True, the survey is closed: 410 to everything.
    busy
        A status to answer every request with, such as 503 or 429, and None for none; with
        ``retry_after_seconds``, if that is not 0.
    largest_body
        Bodies of more bytes are answered with 413; None for no limit.
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
    closed: bool = False
    busy: int | None = None
    retry_after_seconds: int = 0
    largest_body: int | None = None
    reports: dict[bytes, ReceivedReport] = field(default_factory=dict)
    withdrawn: set[bytes] = field(default_factory=set)
    _envelopes: dict[str, bytes] = field(default_factory=dict, repr=False)

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
        if self.envelope:
            self._envelopes[_survey_of(self.envelope).digest] = self.envelope
        refused = self._refused(body or b"")
        if refused is not None:
            return refused
        if method == "GET":
            return self._manifest(
                url.rpartition("/v1/manifests/")[2] if "/manifests/" in url else ""
            )
        if url.endswith("/v1/withdrawals"):
            ids = wire.decode_withdrawal(body or b"")[1]
            self.withdrawn.update(ids)
            return _receipt(len(ids))
        return self._count(body or b"")

    def _refused(self, body: bytes) -> Response | None:
        if self.busy is not None:
            wait = self.retry_after_seconds
            return _problem("busy", self.busy, {"retry-after": str(wait)} if wait else {})
        if self.closed:
            return _problem("survey-closed", 410)
        if self.largest_body is not None and len(body) > self.largest_body:
            return _problem("too-large", 413)
        return None

    def _manifest(self, digest: str) -> Response:
        envelope = self._envelopes.get(digest) if digest else self.envelope
        if not envelope:
            return _problem("manifest-unknown" if digest else "survey-unknown", 404)
        return Response(200, {"content-type": wire.MANIFEST_TYPE}, envelope)

    def _count(self, body: bytes) -> Response:
        match strict_json.loads(body, len(body)):
            case {"manifest": str(named)} if named in self._envelopes:
                envelope = self._envelopes[named]
            case _:
                return _problem("manifest-unknown", 404)
        batch = wire.decode_batch(body, _survey_of(envelope))
        for place, report_id in enumerate(batch.ids):
            report = ReceivedReport(
                manifest=batch.manifest,
                columns={name: column[place] for name, column in batch.columns.items()},
                attributes={name: column[place] for name, column in batch.attributes.items()},
            )
            self.reports.setdefault(report_id, report)
        return _receipt(len(batch.ids))


@contextmanager
def clock_at(time: datetime) -> Iterator[None]:
    """Let every device of this process take a time for now, within a block.

    Days and waves, and when the next upload is due, follow. A time without a zone is in UTC.

    Examples
    --------
    >>> with clock_at(datetime(2027, 1, 11)):
    ...     print(now.today())
    2027-01-11
    """
    zoned = time if time.tzinfo else time.replace(tzinfo=UTC)
    before, seconds = now.clock, int(zoned.timestamp())
    now.clock = lambda: seconds
    try:
        yield
    finally:
        now.clock = before


@lru_cache(maxsize=16)
def _survey_of(envelope: bytes) -> Survey:
    match strict_json.loads(envelope, len(envelope)):
        case {"payload": str(payload)}:
            return Survey.parse(unb64url(payload))
        case _:
            raise TransportError("the envelope is not a signed manifest")


def example_survey(publisher_key: bytes, waves: "Waves | None" = None) -> Survey:
    """Return a survey with one yes/no question, ready to sign with the publisher's key.

    With `tossup.shared.waves.Waves` it is one that asks again.
    """
    from tossup.shared.mechanisms import TwoCoin
    from tossup.shared.survey import Attribute, Option, Publisher, Question

    text = {"en": "An example"}
    options = tuple(Option(wave, {"en": wave}) for wave in waves.options) if waves else ()
    return Survey(
        id="example",
        version=1,
        previous=None,
        publisher=Publisher("Example University", publisher_key, "office@example.org"),
        title=text,
        purpose=text,
        languages=("en",),
        questions=(Question("question", "example-topic", text, (), TwoCoin()),),
        attributes=(Attribute(WAVE, {"en": "Wave"}, options),) if waves else (),
        waves=waves,
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


def _problem(code: str, status: int, headers: Mapping[str, str] | None = None) -> Response:
    body = strict_json.dumps({"type": wire.PROBLEM_PREFIX + code, "title": code, "status": status})
    return Response(status, {"content-type": wire.PROBLEM_TYPE, **(headers or {})}, body)
