"""``tossup doctor`` looks at what it calls good."""

import json
import os
import sqlite3
import stat
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest
from click.testing import CliRunner

from tossup.server.cli.root import root
from tossup.server.clock import today
from tossup.server.config import Config
from tossup.server.ingest.commit import GroupCommit
from tossup.server.ingest.decoding import decode_reports
from tossup.server.ingest.known_day import doubt
from tossup.server.ingest.retention import expire_reports
from tossup.server.store import SQLiteStore
from tossup.server.surveys.lifecycle import close, publish
from tossup.server.web.app import create_app
from tossup.shared.survey import Survey

Doctor = Callable[[], dict[str, tuple[str, str]]]


@pytest.fixture
def doctor(config: Config, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Doctor:
    """Return result and finding of each check, by what was looked at, and the exit code."""
    for name in [name for name in os.environ if name.startswith("TOSSUP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)

    def run() -> dict[str, tuple[str, str]]:
        done = CliRunner().invoke(root, ["doctor", "--data", str(config.data), "--json"])
        checks = json.loads(done.stdout)["checks"]
        return {c["check"]: (c["result"], c["found"]) for c in checks} | {
            "exit": (str(done.exit_code), "")
        }

    return run


@pytest.fixture
def counted(config: Config, survey: Survey, envelope: bytes, make_body) -> Iterator[SQLiteStore]:
    """A data folder with 300 reports of today."""
    store = SQLiteStore(config.database)
    publish(store, envelope)
    bodies = [make_body((0, 1, 1) * 50, region=region) for region in (0, 1)]
    GroupCommit(store).commit([decode_reports(body, lambda _: survey) for body in bodies])
    yield store
    store.close()


def test_it_counts_every_survey_again(doctor: Doctor, counted: SQLiteStore) -> None:
    """What it says of a whole database it has looked at."""
    found = doctor()

    assert ("ok", "300 stored reports and the counters agree") == found["survey habits-7"]
    assert ["ok"] * 3 == [found[what][0] for what in ("database", "pages", "surveys")]
    assert "0" == found["exit"][0]


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE tallies SET n = n + 1 WHERE value = 1 AND stratum = 0",
        "UPDATE chunks SET columns = zeroblob(length(columns))",
        "UPDATE chunks SET ids = zeroblob(length(ids))",
        "DELETE FROM chunks",
        "UPDATE surveys SET reports = 299",
        "UPDATE manifests SET envelope = zeroblob(10)",
    ],
)
def test_a_survey_that_does_not_add_up_is_bad(
    doctor: Doctor, counted: SQLiteStore, damage: str
) -> None:
    """Also where every page of the file is whole."""
    counted._rows(damage)
    found = doctor()
    bad = [what for what, (result, _) in found.items() if result == "bad"]

    assert ("1", "ok") == (found["exit"][0], found["pages"][0])
    assert ["survey habits-7"] == bad


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        ("DELETE FROM surveys", "1 rows of chunks belong to no row of surveys"),
        ("DELETE FROM manifests", "the survey habits-7 has no version"),
        ("DROP TABLE sign_in_attempts", "the table sign_in_attempts is missing"),
        ("DROP INDEX growing_chunks", "the index growing_chunks is missing"),
        ("DROP TRIGGER record_is_never_shortened", "the trigger record_is_never_shortened is"),
    ],
)
def test_what_is_gone_is_bad(
    doctor: Doctor, counted: SQLiteStore, config: Config, damage: str, said: str
) -> None:
    """Also where all that is left is whole: a survey that is gone is not one without reports."""
    with closing(sqlite3.connect(config.database)) as damaged, damaged:
        damaged.execute(damage)
    result, found = doctor()["pages"]

    assert "bad" == result
    assert said in found


def test_ids_that_were_overwritten_are_bad(doctor: Doctor, counted: SQLiteStore) -> None:
    """Whatever was written has its ids in order, and 8 bytes of noise hardly ever keep it."""
    counted._rows(
        "UPDATE chunks SET ids = substr(ids, 1, 160) || zeroblob(8) || substr(ids, 169)"
        " WHERE length(ids) > 320"
    )
    assert "bad" == doctor()["survey habits-7"][0]


def test_a_noted_day_to_come_is_bad_until_the_clock_is_confirmed(
    doctor: Doctor, counted: SQLiteStore, config: Config
) -> None:
    """A clock that was years ahead, and believed, would be believed again."""
    days = {today()}
    counted.note_day(today() + timedelta(days=400))
    app, command = create_app(config, store=counted, reading=True), CliRunner()
    found = []
    for step in ((), ("--confirm",), ()):
        done = command.invoke(root, ["clock", *step, "--data", str(config.data)])
        metrics = app.test_client().get("/metrics").text
        jumped = "tossup_clock_jumped 1\n" in metrics
        found.append((done.exit_code, "which is to come" in done.stderr, jumped, doctor()["day"]))

    days.add(today())  # which may be another: midnight comes between once in 10**5 runs
    assert [(0, False, False)] * 2 == [each[:3] for each in found[1:]]
    assert {each[3] for each in found[1:]} <= {("ok", f"last noted {day}") for day in days}
    assert (1, True, True, "bad") == (*found[0][:3], found[0][3][0])
    assert "which is to come" in found[0][3][1]


def test_the_day_of_a_server_beyond_midnight_is_no_mistake(counted: SQLiteStore) -> None:
    """Its clock may be minutes ahead of that of this machine."""
    day = today()
    counted.note_day(day + timedelta(days=1))

    assert doubt(counted, day) is None
    assert "which is to come" in doubt(counted, day - timedelta(days=1))


def test_damaged_pages_are_bad(doctor: Doctor, counted: SQLiteStore, config: Config) -> None:
    """Of every page but the first, which says what the file is; the check never fails itself."""
    counted.scrub()
    counted.close()
    whole = config.database.read_bytes()
    pages = len(whole) // 4096
    missed = []
    for page in range(1, pages):
        start = page * 4096
        config.database.write_bytes(whole[:start] + b"\xa5" * 4096 + whole[start + 4096 :])
        if "1" != doctor()["exit"][0]:
            missed.append(page)

    assert [] == missed


def test_reports_of_a_day_to_come_are_bad(
    config: Config, doctor: Doctor, survey: Survey, envelope: bytes, make_body
) -> None:
    """The clock was set back, or it was wrong before."""
    store = SQLiteStore(config.database, day=lambda: today() + timedelta(days=2))
    publish(store, envelope)
    GroupCommit(store).commit([decode_reports(make_body(), lambda _: survey)])
    store.close()

    assert "set back" in doctor()["survey habits-7"][1]


def test_an_expired_survey_has_nothing_to_count(doctor: Doctor, counted: SQLiteStore) -> None:
    """Which is as promised, and no fault."""
    close(counted, "habits-7")
    expire_reports(counted, today() + timedelta(days=366))

    assert "ok" == doctor()["survey habits-7"][0]


def test_data_of_an_earlier_version_is_left_as_it_is(
    doctor: Doctor, counted: SQLiteStore, config: Config
) -> None:
    """The server that runs on it does not know the form that this one would bring it to."""
    counted._rows("DELETE FROM migrations WHERE number > 6")
    found = doctor()

    assert ("1", "bad") == (found["exit"][0], found["database"][0])
    assert "back it up with the version that serves it" in found["database"][1]
    assert 6 == counted._rows("SELECT max(number) FROM migrations")[0][0]


def test_what_lies_beside_the_data_is_told(
    doctor: Doctor, counted: SQLiteStore, config: Config
) -> None:
    """A copy there outlives the retention of its reports, and nobody would look for it."""
    (config.data / ".config").mkdir()
    before = doctor()
    (config.data / "before").mkdir()
    (config.data / "tossup.sqlite3.partial").touch()
    found = doctor()["other files"]

    assert "other files" not in before
    assert "note" == found[0]
    assert found[1].startswith("before, tossup.sqlite3.partial: what copies reports keeps them")


def test_little_space_is_bad(
    doctor: Doctor, counted: SQLiteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A number of megabytes is not called ok whatever it is."""
    from shutil import disk_usage

    usage = type(disk_usage("."))(1 << 40, 1 << 40, 50 << 20)
    monkeypatch.setattr("tossup.server.cli.operating.doctor.disk_usage", lambda _: usage)

    assert ("bad", "50 MB free") == doctor()["disk"]


def test_a_folder_that_is_another_users_is_bad(
    doctor: Doctor, counted: SQLiteStore, monkeypatch: pytest.MonkeyPatch, config: Config
) -> None:
    """It says whose it is, and so as whom to run the command; nothing of it is opened."""
    monkeypatch.setattr(os, "access", lambda path, _: path != config.database)
    found = doctor()

    assert ("1", "") == found["exit"]
    assert "bad" == found["data folder"][0]
    assert f"cannot be written; it belongs to {config.database.owner()}" in found["data folder"][1]
    assert "database" not in found


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives away")
def test_a_file_that_root_restored_is_bad(
    doctor: Doctor, counted: SQLiteStore, config: Config
) -> None:
    """Whoever looks at it as root can use it, and the server cannot."""
    os.chown(config.data, 12345, -1)
    before = doctor()["data folder"]
    os.chown(config.database, 12345, -1)

    assert ("bad", f"run: chown 12345 {config.database}") == (before[0], before[1].split("; ")[1])
    assert "ok" == doctor()["data folder"][0]


def test_a_folder_that_cannot_be_looked_at_is_bad(
    doctor: Doctor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such as one below a folder of another user's; the command goes on."""

    def refuse(_: Path) -> bool:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Config, "database", property(lambda _: type("P", (), {"exists": refuse})()))
    found = doctor()

    assert ("1", "bad") == (found["exit"][0], found["data folder"][0])
    assert "Permission denied; run this as the user who serves" in found["data folder"][1]
    assert "API key" in found


def test_what_answers_everything_is_no_server(
    doctor: Doctor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such as a page that a proxy shows for every address."""

    class Everything(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/plain")
            self.send_header("Content-Length", "5")
            self.end_headers()
            self.wfile.write(b"hello")

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with HTTPServer(("127.0.0.1", 0), Everything) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setenv("TOSSUP_URL", f"http://127.0.0.1:{server.server_port}")
        found = doctor()
        server.shutdown()

    assert "note" == found["server"][0]
    assert "not as a Tossup server does" in found["server"][1]


def test_a_publishers_key_that_others_can_read_is_bad(
    doctor: Doctor, counted: SQLiteStore, tmp_path: Path
) -> None:
    """Whoever reads it signs surveys in the publisher's name."""
    from tossup.server.cli.authoring import publisher

    path = publisher.default_path()
    none = doctor()["publisher key"][0]
    publisher.load_or_create(path)
    before = doctor()["publisher key"][0]
    path.chmod(path.stat().st_mode | stat.S_IRGRP)

    assert ("note", "ok", "bad") == (none, before, doctor()["publisher key"][0])


def test_a_publishers_key_that_is_named_and_not_there_is_bad(
    doctor: Doctor, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Nobody makes it: another key is another publisher. What cannot be looked at is bad, too."""
    found = []
    for name in ("missing.pem", "n" * 300):
        monkeypatch.setenv("TOSSUP_PUBLISHER_KEY", str(tmp_path / name))
        found.append(doctor()["publisher key"])

    assert ["bad", "bad"] == [result for result, _ in found]
    assert "correct TOSSUP_PUBLISHER_KEY" in found[0][1]
    assert "cannot be used: File name too long" in found[1][1]
