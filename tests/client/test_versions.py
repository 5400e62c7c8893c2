"""Stores of other versions: those of older ones open, those of newer ones are left alone."""

import json
import shutil
import sqlite3
from contextlib import closing
from importlib.metadata import version
from pathlib import Path

import pytest
from released_stores import FOLDER, LEFT, NEXT, WAVED, client_of, server_of

from tossup.client import Client, Outcome

ONE = {"ever_tried": True, "region": "north"}


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
