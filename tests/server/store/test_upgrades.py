"""Databases of every earlier schema, written by the servers of their time: up, and back down."""

import gzip
import json
import shutil
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from released_servers import FOLDER

from tossup.server.cli.root import root
from tossup.server.config import Config
from tossup.server.ingest import packing
from tossup.server.ingest.recount import recount
from tossup.server.store import SQLiteStore
from tossup.server.store.connection import create_file
from tossup.server.store.records import SchemaTooNew
from tossup.server.store.schema import migrations
from tossup.server.web.app import create_app
from tossup.shared.survey import Survey
from tossup.shared.wire import REPORTS_TYPE, Batch, encode_batch


@dataclass(frozen=True)
class Released:
    """A database as a server of its time left it, and what it is known to hold."""

    path: Path
    held: dict[str, Any]

    def config(self, folder: Path) -> Config:
        """Return the settings of a server whose data folder has a copy of it."""
        config = Config(data=folder / f"data-{self.held['schema']}")
        config.data.mkdir(mode=0o700)
        config.database.write_bytes(gzip.decompress(self.path.read_bytes()))
        return config


def released() -> list[Released]:
    paths = sorted(FOLDER.glob("schema-*.sqlite3.gz"))
    return [Released(p, json.loads(Path(str(p)[:-11] + ".json").read_text())) for p in paths]


def what_is_held(store: SQLiteStore) -> dict[str, Any]:
    with store.audit("habits") as (_, chunks):
        ids = [one.hex() for chunk in chunks for one in packing.split(chunk.ids)]
    rows = store._rows(
        "SELECT question, stratum, value, sum(n) FROM tallies GROUP BY 1, 2, 3 HAVING sum(n) > 0"
    )
    return {"ids": sorted(ids), "tallies": sorted(map(list, rows))}


def dump(path: Path) -> list[str]:
    """Return all that a database holds, as SQL."""
    with closing(sqlite3.connect(path)) as connection:
        return list(connection.iterdump())


def sent(survey: Survey, ids: list[str]) -> bytes:
    """Return a body with reports of these ids to the yes/no question."""
    n = len(ids)
    columns, attributes = {"ever_tried": [1] * n}, {"region": [0] * n}
    batch = Batch(survey.digest, tuple(map(bytes.fromhex, ids)), columns, attributes)
    return encode_batch(batch, survey)


#: Manifests had another form while there was only the first: nobody holds one of that time.
OLDEST = 2


def test_a_database_of_every_schema_is_kept() -> None:
    """A migration comes with the database of its version: tests/support/released_servers.py."""
    kept = [each.held["schema"] for each in released()]

    assert list(range(OLDEST, len(migrations()) + 1)) == kept


def test_every_earlier_database_is_upgraded_with_all_that_it_holds(tmp_path: Path) -> None:
    """Reports, counters, the key, and which ids are known, though they come again."""
    for each in released():
        config = each.config(tmp_path)
        app = create_app(config, reading=True)
        store = app.extensions["tossup"].store
        survey = store.survey("habits").survey
        kept = what_is_held(store)
        again = [*each.held["ids"], *each.held["withdrawn"], "ab" * 16]
        answer = app.test_client().post(
            "/v1/reports", data=sent(survey, again), content_type=REPORTS_TYPE
        )
        after = what_is_held(store)["ids"]
        found, keys = recount(store, "habits"), store.keys()
        app.extensions["tossup"].close()

        told = f"schema {each.held['schema']}"
        assert kept == {name: each.held[name] for name in kept}, told
        assert 200 == answer.status_code, told
        assert sorted([*each.held["ids"], "ab" * 16]) == after, told
        assert found.agrees, told
        assert [sha256(each.held["api_key"].encode()).digest()] == [key.digest for key in keys], (
            told
        )


def test_a_version_that_does_not_know_a_schema_leaves_it_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The way down is the copy from before the upgrade, which the older version restores."""
    known = migrations()
    latest = released()[-1].config(tmp_path)
    monkeypatch.setattr("tossup.server.store.sqlite.migrations", lambda: known[:-1])
    older = released()[-2].config(tmp_path)
    before = dump(latest.database)
    with pytest.raises(SchemaTooNew, match="open a copy made before the upgrade"):
        SQLiteStore(latest.database)
    done = CliRunner().invoke(
        root, ["restore", str(older.database), "--data", str(tmp_path / "back")]
    )

    assert before == dump(latest.database)
    assert (0, True) == (done.exit_code, "and the counters agree" in done.stdout), done.stderr


def test_only_a_server_that_starts_brings_data_to_its_form(tmp_path: Path) -> None:
    """Between the upgrade and the restart an earlier one runs on it, while commands are typed."""
    older = released()[-2].config(tmp_path)
    before = dump(older.database)
    for typed in ("key list", "key create a", "link", "recount habits", "clock", "doctor"):
        done = CliRunner().invoke(root, [*typed.split(), "--data", str(older.data)])

        assert 1 == done.exit_code, typed
        assert f"and this Tossup writes {len(migrations())}" in done.output, typed
    assert before == dump(older.database)


def test_a_command_may_come_before_the_first_start_has_filled_its_file(tmp_path: Path) -> None:
    """As where a guide's lines are typed at once: it waits, and both have the data."""
    config = Config(data=tmp_path / "data")
    create_file(config.database)
    done = CliRunner().invoke(root, ["key", "create", "first", "--data", str(config.data)])

    assert (0, True) == (done.exit_code, "tsk_" in done.stdout), done.stderr


def test_every_earlier_backup_is_restored(tmp_path: Path) -> None:
    """By this version, which upgrades the copy and leaves the backup as it is."""
    for each in released():
        copy, new = tmp_path / f"copy-{each.held['schema']}", tmp_path / f"new-{each.path.name}"
        shutil.copyfile(each.config(tmp_path).database, copy)
        before = copy.read_bytes()
        done = CliRunner().invoke(root, ["restore", str(copy), "--data", str(new)])
        with closing(SQLiteStore(new / "tossup.sqlite3")) as store:
            kept = what_is_held(store)

        assert (0, before) == (done.exit_code, copy.read_bytes()), done.stderr
        assert kept == {name: each.held[name] for name in kept}
