"""Stores of other versions: those of older ones open, those of newer ones are left alone."""

import json
import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from fractions import Fraction
from importlib.metadata import version
from pathlib import Path

import pytest
from killing import Killed, child, wait
from recounting import assert_in_step, assert_right
from released_stores import EXAMPLE, FOLDER, KEY, LEFT, NEXT, WAVED, asking, client_of, server_of

from tossup.client import Client, Outcome
from tossup.client.store import database, ledger
from tossup.client.store.database import Database
from tossup.shared.signing import public_bytes

ONE = {"ever_tried": True, "region": "north"}
FURTHER = replace(EXAMPLE, id="further", questions=(asking("further"),))
KEY_HEX = public_bytes(KEY).hex()


@pytest.fixture
def newer(client, store) -> Path:
    """A store as a newer SDK may leave it: with a schema that nobody knows yet."""
    client.answer(ONE)
    with closing(sqlite3.connect(store)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")
        connection.execute("ALTER TABLE ledger ADD COLUMN unheard_of TEXT")
        connection.execute("PRAGMA user_version=99")
    return store


def test_this_version_has_its_store():
    """Who raises the version runs released_stores.py once, before the schema changes again."""
    assert (FOLDER / f"{version('tossup')}.db").exists()


@pytest.mark.parametrize("kept", sorted(FOLDER.glob("*.db")), ids=lambda path: path.stem)
def test_a_released_versions_store_still_opens(kept, tmp_path):
    """What it answered stays answered, and what it tossed goes out as it was tossed."""
    store = tmp_path / "store.db"
    shutil.copy(kept, store)
    shutil.copy(f"{kept}.mark", f"{store}.mark")
    told = json.loads(kept.with_suffix(".json").read_text())

    habits, waved, left = servers = [server_of(survey) for survey in (NEXT, WAVED, LEFT)]
    clients = [
        client_of(server, survey.id, store)
        for server, survey in zip(servers, (NEXT, WAVED, LEFT), strict=True)
    ]

    assert clients[0].status().device.odds == 3**4
    assert clients[0].status().consent is True
    assert quiet(clients[0]).answer({"old": True, "new": True}) is Outcome.ALREADY_ANSWERED
    assert clients[1].repeat(wave=2) is Outcome.QUEUED
    assert [client.flush().reason for client in clients] == [None] * 3
    assert values(habits) == told["reports"]["pending"]
    assert list(values(waved).values()) == [{"again": told["kept"]}]
    assert {report_id.hex() for report_id in left.withdrawn} == set(told["reports"]["withdrawing"])


OLDEST = min(FOLDER.glob("*.db"))


def put(store: Path) -> Client:
    """Put the store of the oldest version in place, and return a client that may answer on it."""
    store.parent.mkdir(exist_ok=True)
    shutil.copy(OLDEST, store)
    shutil.copy(f"{OLDEST}.mark", f"{store}.mark")
    client = client_of(server_of(FURTHER), FURTHER.id, store)
    client.survey()
    return client


@pytest.mark.prove
def test_an_old_store_is_brought_up_to_date_by_the_first_answer(tmp_path, monkeypatch):
    """Killed before or after any statement of it, the store is old or new, and nothing is lost."""
    connect, fuse = database.connect, [10**9]
    client = put(tmp_path / "count.db")
    assert_right_in(tmp_path / "count.db")
    with monkeypatch.context() as patched:
        patched.setattr(database, "connect", lambda p: Killed(connect(p), fuse, after=False))
        client.answer({"further": True})
    count = 10**9 - fuse[0]
    Database(str(tmp_path / "count.db")).run(assert_in_step)
    for place in range(1, count + 1):
        store = tmp_path / f"{place}.db"
        client = put(store)

        def answer(client=client, place=place) -> None:
            fuse = [place]
            database.connect = lambda path: Killed(connect(path), fuse, after=place % 2 == 0)
            client.answer({"further": True})

        wait(child(answer))
        assert_right_in(store)
        quiet(client).answer({"further": True})
        assert client.status().device.odds == 3**5, place
        Database(str(store)).run(assert_in_step)

    assert count >= 25


def assert_right_in(store: Path) -> None:
    Database(str(store)).run(assert_right)


def test_an_old_store_that_another_program_looks_at_is_answered_all_the_same(tmp_path):
    """Its log, which older versions kept, is left once nobody has it open."""
    client = put(tmp_path / "store.db")
    with closing(sqlite3.connect(tmp_path / "store.db")) as other:
        other.execute("PRAGMA journal_mode=WAL")
        other.execute("SELECT count(*) FROM ledger").fetchall()
        client.answer({"further": True})
        assert other.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert client.status().pending == 1

    with closing(sqlite3.connect(tmp_path / "store.db")) as other:
        assert other.execute("PRAGMA journal_mode").fetchone() == ("delete",)


def test_an_older_and_this_version_take_turns(tmp_path):
    """What an older one writes, it keeps in a log, and knows neither topics nor their counts."""
    client = put(tmp_path / "store.db")
    client.answer({"further": True})
    Database(str(tmp_path / "store.db")).run(_answer_as_before_topics)

    assert quiet(client).answer({"further": True}) is Outcome.ALREADY_ANSWERED
    assert client.status().device.odds == 3**6
    assert "of-old" in client.status().answered_topics


def _answer_as_before_topics(connection) -> None:
    book = ledger.read(connection)
    entry = ledger.Entry(KEY_HEX, "of-old", "s", "m", "q", odds=Fraction(3))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(ledger.totals, "write_all_topics", lambda *_: None)
        patched.setattr(ledger.totals, "write_anew", lambda *_: None)
        ledger.append(connection, book, [entry])


def quiet(client: Client) -> Client:
    client._strict = False
    return client


def values(server) -> dict[str, dict[str, int]]:
    return {report_id.hex(): report.columns for report_id, report in server.reports.items()}


def test_a_newer_store_is_refused_by_name_and_left_as_it_is(client, newer):
    """No call changes a byte, none advises to discard it, and the reason is its own."""
    before = newer.read_bytes()

    outcomes = {
        client.answer(ONE),
        client.repeat(),
        client.consent(agrees=True),
        client.withdraw(),
        client.status().trouble,
        Outcome(client.flush().reason),
    }

    assert outcomes == {Outcome.STORE_TOO_NEW}
    assert (client.survey(), client.preview()) == (None, None)
    assert "upgrade" in Outcome.STORE_TOO_NEW.explanation.lower()
    assert newer.read_bytes() == before
    assert not list(newer.parent.glob("*-wal"))


def test_a_file_that_is_no_store_is_left_as_it_is(client, store):
    """A path given by mistake, another app's database, is not even put into another mode."""
    store.parent.mkdir()
    with closing(sqlite3.connect(store)) as connection:
        connection.execute("CREATE TABLE notes (text)")
    before = store.read_bytes()

    assert client.answer(ONE) is Outcome.LEDGER_DAMAGED
    assert store.read_bytes() == before
