"""A survey's server in this process, as the device meets it over real HTTP."""

import http.server
import os
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from answers import Answer, problem, receipt

from tossup.client import Client, answering
from tossup.shared import strict_json, wire
from tossup.shared.coins import Coins
from tossup.shared.signing import sign_manifest
from tossup.shared.survey import Survey


@dataclass
class Stub:
    """Counts every report id once, as the real server does, and misbehaves on demand."""

    surveys: dict[str, Survey]
    envelopes: dict[str, bytes]
    url: str = ""
    server: http.server.ThreadingHTTPServer | None = None
    reports: dict[bytes, tuple[str, dict[str, int], dict[str, int]]] = field(default_factory=dict)
    changed: list[bytes] = field(default_factory=list)
    withdrawn: set[bytes] = field(default_factory=set)
    requests: list[tuple[str, str, dict[str, str], bytes]] = field(default_factory=list)
    #: Answers to give instead of the true one, first in, first out; None is the true answer.
    script: list[Answer | Callable[[Answer], Answer] | None] = field(default_factory=list)

    def link(self, survey: Survey) -> str:
        return f"{self.url}/v1/surveys/{survey.id}"

    def publish(self, survey: Survey, key) -> None:
        self.surveys[survey.digest] = survey
        self.envelopes[survey.id] = self.envelopes[survey.digest] = sign_manifest(
            survey.payload, key
        )

    def settle(self) -> None:
        """Wait until every connection that was answered is closed here as well."""
        for thread in threading.enumerate():
            if getattr(thread, "_target", None) == self.server.process_request_thread:
                thread.join()

    def serve(self, method: str, path: str, headers: dict[str, str], body: bytes) -> Answer:
        self.requests.append((method, path, headers, body))
        scripted = self.script.pop(0) if self.script else None
        if isinstance(scripted, tuple):
            return scripted
        answer = self._truly(path, body)
        return answer if scripted is None else scripted(answer)

    def _truly(self, path: str, body: bytes) -> Answer:
        match path.rsplit("/", 2)[1:]:
            case ["surveys", survey_id] if survey_id in self.envelopes:
                return 200, {"Content-Type": wire.MANIFEST_TYPE}, self.envelopes[survey_id]
            case ["manifests", digest] if digest in self.envelopes:
                return 200, {"Content-Type": wire.MANIFEST_TYPE}, self.envelopes[digest]
            case ["v1", "reports"]:
                return self._count(body)
            case ["v1", "withdrawals"]:
                ids = wire.decode_withdrawal(body)[1]
                self.withdrawn.update(ids)
                return receipt(len(ids))
            case _:
                return problem(404, "survey-unknown")

    def _count(self, body: bytes) -> Answer:
        survey = self.surveys[strict_json.loads(body, 1 << 20)["manifest"]]
        batch = wire.decode_batch(body, survey)
        for place, report_id in enumerate(batch.ids):
            values = {name: column[place] for name, column in batch.columns.items()}
            publics = {name: column[place] for name, column in batch.attributes.items()}
            report = (batch.manifest, values, publics)
            if self.reports.setdefault(report_id, report) != report:
                self.changed.append(report_id)
        return receipt(len(batch.ids))


class _Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        headers = dict(self.headers.items())
        body = self.rfile.read(length)
        status, extra, body = self.server.stub.serve(self.command, self.path, headers, body)
        if status == 0:  # hang up without an answer
            self.close_connection = True
            return
        self.send_response_only(status)
        for name, value in {"Content-Length": str(len(body)), **extra}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self) -> None:
        self.do_GET()

    def log_message(self, *_: object) -> None:
        pass


class _Server(http.server.ThreadingHTTPServer):
    """Children connect all at once: the system keeps more than the usual five waiting."""

    request_queue_size = 128


@pytest.fixture
def stub(survey: Survey, joint_survey: Survey, publisher_key) -> Iterator[Stub]:
    """A server on a free loopback port that knows both surveys."""
    stub = Stub({}, {})
    for one in (survey, joint_survey):
        stub.publish(one, publisher_key)
    with _Server(("127.0.0.1", 0), _Handler) as server:
        server.stub = stub
        stub.server = server
        stub.url = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        yield stub
        server.shutdown()
        thread.join()


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Where a device keeps its ledger and outbox."""
    return tmp_path / "device" / "store.db"


@pytest.fixture
def client(stub: Stub, survey: Survey, store: Path) -> Client:
    """A device that may answer the survey."""
    return Client(stub.link(survey), survey.publisher.key, store=store)


@pytest.fixture
def tossed(monkeypatch) -> list[int]:
    """The number of random bytes that each toss has drawn."""
    drawn: list[int] = []

    class Counted(Coins):
        def __init__(self) -> None:
            drawn.append(0)
            super().__init__(self._counted)

        def _counted(self, n: int) -> bytes:
            drawn[-1] += n
            return os.urandom(n)

    monkeypatch.setattr(answering, "Coins", Counted)
    return drawn
