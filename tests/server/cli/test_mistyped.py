"""What operators mistype: each gets one error that says what is wrong and what to do."""

import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from tossup.server.cli.root import root
from tossup.server.config import Config
from tossup.server.ingest.commit import GroupCommit
from tossup.server.ingest.decoding import decode_reports
from tossup.server.store import SQLiteStore
from tossup.server.surveys.lifecycle import close, publish

#: What is typed, and what both lines of the answer say.
MISTYPED = {
    "seal habits-8 out --data data": ("no survey has this id", "tossup survey list"),
    "seal habits-7 out --data elsewhere": ("elsewhere holds no data", "--data"),
    "seal habits-7 file/out --data data": ("cannot be written", "a folder that you may write to"),
    "seal habits-7 s3x://b --data data": ("s3x://b", "Protocol not known: s3x"),
    "seal habits-7 out --data data --key file": ("file holds no private key", ""),
    "aggregate missing.parquet": ("there is no", "tossup seal"),
    "aggregate file": ("file cannot be read as Parquet", ""),
    "aggregate out/*.parquet": ("there is no .parquet file", "name a folder that was sealed"),
    "aggregate s3x://bucket": ("s3x://bucket cannot be opened", "Protocol not known"),
    "aggregate file --key word": ("--key", "base64url"),
    "expire missing": ("there is no", "tossup seal"),
    "expire s3x://bucket": ("s3x://bucket cannot be opened", "Protocol not known"),
    "backup copy --data elsewhere": ("elsewhere was not backed up to copy: it holds no", "--data"),
    "backup file --data data": ("file exists already", "name a new file"),
    "backup file/copy --data data": ("data was not backed up to file/copy", "name a new file"),
    "restore missing --data new": (
        "missing was not restored to new: there is no such",
        "tossup restore",
    ),
    "restore file --data new": ("not a database", "a file that tossup backup made"),
    "restore file --data data": ("the folder holds data", "stop the server"),
    "doctor --url htp://x": ("'htp://x' is not an address", "--url http"),
    "serve --data served --host 203.0.113.9 --port 0": ("cannot listen on 203", "with --host"),
    "serve --data file": ("file is no folder", "name a folder with --data"),
    "serve --database mysql://x": ("must be postgresql://user@host/name", "tossup serve --help"),
    "serve --database postgresql:///x?host=/none": ("cannot be used", "psql"),
}


def test_each_is_told_what_is_wrong_and_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, survey, envelope, make_body
) -> None:
    """Without a traceback, and nothing changes."""
    for name in [name for name in os.environ if name.startswith("TOSSUP_")]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    Path("file").write_text("no archive, no key, no database")
    store = SQLiteStore(Config(data=Path("data")).database)
    publish(store, envelope)
    GroupCommit(store).commit([decode_reports(make_body(), lambda _: survey)])
    close(store, survey.id)
    store.close()
    for typed, told in MISTYPED.items():
        done = CliRunner().invoke(root, typed.split())

        assert isinstance(done.exception, SystemExit), typed
        assert done.exit_code in {1, 2}, typed
        for words in told:
            assert words in done.output, (typed, done.output)
    assert "no archive, no key, no database" == Path("file").read_text()
    assert not Path("new/tossup.sqlite3").exists()
