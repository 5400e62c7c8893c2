"""The device: what it costs to import, to download, to answer, and to send."""

import os
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from dataclasses import replace
from datetime import date
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory

from bench_figures import Figure, interleave, ratio_of
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tossup.client import Client
from tossup.client.testing import MemoryServer
from tossup.client.upload.urllib_transport import UrllibTransport
from tossup.shared import wire
from tossup.shared.mechanisms import TwoCoin
from tossup.shared.signing import public_bytes, sign_manifest
from tossup.shared.survey import WAVE, Attribute, Option, Publisher, Question, Survey
from tossup.shared.waves import Waves

ROOT = Path(__file__).parents[2]
QUESTIONS = 64
#: How many topics a device has answered that has been in use for years.
TOPICS = 16 * QUESTIONS
WAVES = 256
KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))


def survey_of(name: str, questions: int) -> Survey:
    """Return a survey of yes/no questions by two coins."""
    return Survey(
        id=name,
        version=1,
        previous=None,
        publisher=Publisher("Bench", public_bytes(KEY), "bench@example.org"),
        title={"en": "Bench"},
        purpose={"en": "To measure."},
        languages=("en",),
        questions=tuple(
            Question(f"q{n}", f"{name}-q{n}", {"en": f"Question {n}?"}, (), TwoCoin())
            for n in range(questions)
        ),
        attributes=(),
        linkage="none",
        minimum_batch=30,
        opens=None,
        closes=None,
        retention_days=30,
        results="private",
    )


def imports() -> Figure:
    """Compare whole interpreter runs; the bare interpreter's start is in both, not subtracted."""
    measured = _commands(["-c", "import tossup.client"], ["-c", "import sentry_sdk"])
    bare = median(_run(["-c", ""]) for _ in range(7))
    ours, theirs = (median(values) for values in measured)
    beyond = (ours - bare) / (theirs - bare)
    note = (
        f"python -c 'import X': {ours * 1e3:.0f} ms and {theirs * 1e3:.0f} ms, of which an empty"
        f" run takes {bare * 1e3:.0f} ms; without it the ratio is {beyond:.2f}"
    )
    name = "import tossup.client / import sentry_sdk"
    return ratio_of(name, measured, better="lower", gate=0.5, goal=0.25, note=note)


def command_help() -> Figure:
    """Compare `tossup --help` with a script that only imports click; completion waits for it."""
    measured = _commands(["-m", "tossup.server.cli", "--help"], ["-c", "import click"])
    name = "tossup --help / import click"
    return ratio_of(name, measured, better="lower", gate=3, goal=1.5)


def _commands(ours: list[str], theirs: list[str]) -> tuple[list[float], list[float]]:
    for arguments in (ours, theirs):
        _run(arguments)  # compiles
    return interleave(lambda: _run(ours), lambda: _run(theirs), rounds=21)


def _run(arguments: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def wheel() -> list[Figure]:
    """Weigh what an app embeds: the wheel of the device, documentation included."""
    with TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps"]
        command += ["--no-build-isolation", "--wheel-dir", folder, str(ROOT)]
        subprocess.run(command, check=True)
        (built,) = Path(folder).glob("*.whl")
        size = built.stat().st_size
    ratio = size / 200_000
    # The gate is what a test holds, with every mechanism: decision 0018.
    return [
        Figure(
            "wheel of the device / 200 KB", ratio, ratio, ratio, "lower", 1.35, 1, f"{size} bytes"
        )
    ]


def answering() -> list[Figure]:
    """Compare `Client.answer` with one durable commit of a row to SQLite, same disk and settings.

    A round is 256 answers, of 4 devices one after the other, and 256 commits, in turn.
    """
    with TemporaryDirectory() as folder:
        rounds = [_round(Path(folder), number) for number in range(5)]
    p50 = [median(answers) for answers, _ in rounds]
    p99 = [_p99(answers) for answers, _ in rounds]
    commit = [median(commits) for _, commits in rounds]
    late = [_p99(commits) for _, commits in rounds]
    note = (
        f"answer() p50 {median(p50) * 1e3:.1f} ms, p99 {median(p99) * 1e3:.1f} ms; one fsynced"
        f" commit on an open connection p50 {median(commit) * 1e3:.1f} ms,"
        f" p99 {median(late) * 1e3:.1f} ms"
    )
    return [
        ratio_of("answer() p50 / fsynced commit p50", (p50, commit),
                 better="lower", gate=10, goal=6, note=note),
        # Like against like first: a shared disk that stalls one sync stalls the commit's as well.
        ratio_of("answer() p99 / fsynced commit p99", (p99, late),
                 better="lower", gate=20, goal=10),
        ratio_of("answer() p99 / fsynced commit p50", (p99, commit),
                 better="lower", gate=150, goal=10),
    ]  # fmt: skip


def _p99(values: list[float]) -> float:
    return quantiles(values, n=100)[98]


def _round(folder: Path, number: int) -> tuple[list[float], list[float]]:
    answers: list[float] = []
    commits: list[float] = []
    for device in range(4):
        name = f"round{number}-device{device}"
        found = _device(folder / name, survey_of(name, QUESTIONS))
        answers += found[0]
        commits += found[1]
    return answers, commits


def _client(store: Path, survey: Survey) -> Client:
    client = Client(
        f"https://example.org/v1/surveys/{survey.id}",
        public_bytes(KEY),
        store=store,
        publisher_cap=3 ** (TOPICS + QUESTIONS),
        device_cap=3 ** (TOPICS + QUESTIONS),
        strict=True,
        transport=MemoryServer(sign_manifest(survey.payload, KEY)),
    )
    client.survey()
    return client


def long_lived() -> Figure:
    """Compare an answer on a device that has answered 1,000 topics with one on a new device."""
    survey = survey_of("late", QUESTIONS)
    with TemporaryDirectory() as folder:
        old, new = (Path(folder) / f"{name}.db" for name in ("old", "new"))
        for number in range(TOPICS // QUESTIONS):
            earlier = survey_of(f"earlier{number}", QUESTIONS)
            _client(old, earlier).answer({question.id: True for question in earlier.questions})
        clients = _client(old, survey), _client(new, survey)
        first, second = (iter([question.id for question in survey.questions]) for _ in clients)
        measured = interleave(
            lambda: seconds(lambda: clients[0].answer({next(first): True})),
            lambda: seconds(lambda: clients[1].answer({next(second): True})),
            QUESTIONS,
        )
    here, there = map(median, measured)
    note = (
        f"answer() p50 {here * 1e3:.1f} ms after {TOPICS} topics, {there * 1e3:.1f} ms after none"
    )
    name = "answer() p50 after 1,024 topics / after none"
    ratio = here / there
    return Figure(name, ratio, ratio, ratio, "lower", 1.5, 1.05, note)


def waves() -> list[Figure]:
    """Compare calls in the last of 256 waves of four questions with those in early ones.

    By what they take of the processors: so little is not told from a disk's hiccups otherwise.
    """
    calls = {
        "answer()": lambda client, wave: client.answer({f"q{n}": True for n in range(4)}, wave),
        "flush()": lambda client, _: client.flush(),
        "status()": lambda client, _: client.status(),
    }
    taken: dict[str, list[float]] = {name: [] for name in calls}
    with TemporaryDirectory() as folder:
        client = _client(Path(folder) / "device.db", _waved())
        for wave in range(1, WAVES + 1):
            for name, call in calls.items():
                start = time.process_time()
                call(client, wave)
                taken[name].append(time.process_time() - start)
    return [_grown(name, values) for name, values in taken.items()]


def _waved() -> Survey:
    waves = Waves(WAVES, date(2027, 1, 4), 7)
    options = tuple(Option(wave, {"en": wave}) for wave in waves.options)
    wave = Attribute(WAVE, {"en": "Wave"}, options)
    return replace(survey_of("waved", 4), attributes=(wave,), waves=waves)


def _grown(name: str, values: list[float]) -> Figure:
    early, late = median(values[1:33]), median(values[-32:])
    note = f"processors {early * 1e3:.1f} ms in waves 2 to 33, {late * 1e3:.1f} ms in the last 32"
    figure, ratio = f"{name} in wave {WAVES} / in an early one", late / early
    return Figure(figure, ratio, ratio, ratio, "lower", 1.25, 1.05, note)


def _device(folder: Path, survey: Survey) -> tuple[list[float], list[float]]:
    folder.mkdir()
    client = _client(folder / "device.db", survey)
    with closing(sqlite(folder / "plain.db")) as plain:
        names = iter([question.id for question in survey.questions])
        return interleave(
            lambda: seconds(lambda: client.answer({next(names): True})),
            lambda: seconds(lambda: plain.execute("INSERT INTO t VALUES (randomblob(40))")),
            QUESTIONS,
        )


def sqlite(path: Path) -> sqlite3.Connection:
    """Return a connection whose every statement is one durable commit."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("CREATE TABLE t (b)")
    return connection


def seconds(work: object) -> float:
    """Return how long a call takes."""
    start = time.perf_counter()
    work()  # type: ignore[operator]
    return time.perf_counter() - start


def bytes_on_the_wire() -> Figure:
    """Count what the SDK's transport really writes for 1,000 yes/no reports, headers included."""
    survey = survey_of("wire", 1)
    n = 1000
    ids = tuple(os.urandom(16) for _ in range(n))
    bits = tuple(byte & 1 for byte in os.urandom(n))
    body = wire.encode_batch(wire.Batch(survey.digest, ids, {"q0": bits}, {}), survey)
    sent = _sent(body)
    per_report = sent / n
    note = f"{sent} bytes for {n} reports, of which {sent - len(body)} are headers"
    name = "bytes on the wire per yes/no report, of 1,000 / 22"
    ratio = per_report / 22
    return Figure(name, ratio, ratio, ratio, "lower", 1, 1, f"{per_report:.2f} a report: {note}")


def _sent(body: bytes) -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        counted: list[int] = []
        thread = threading.Thread(target=_count, args=(listener, len(body), counted))
        thread.start()
        url = f"http://127.0.0.1:{listener.getsockname()[1]}/v1/reports"
        headers = {"Content-Type": wire.REPORTS_TYPE, "Accept": wire.RECEIPT_TYPE}
        UrllibTransport().request("POST", url, headers, body, 10)
        thread.join()
    return counted[0]


def _count(listener: socket.socket, body: int, counted: list[int]) -> None:
    connection, _ = listener.accept()
    with connection:
        data = b""
        while b"\r\n\r\n" not in data or len(data) < data.index(b"\r\n\r\n") + 4 + body:
            data += connection.recv(1 << 16)
        counted.append(len(data))
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
