"""The guide on archives: its commands run, and show what the server showed."""

import re
import shlex
from dataclasses import replace
from datetime import date
from pathlib import Path

import duckdb
import pytest
from click.testing import CliRunner

from tossup.server.cli.root import root
from tossup.server.surveys.lifecycle import close, publish
from tossup.shared.signing import sign_manifest
from tossup.shared.wire import encode_batch

GUIDE = Path(__file__).parents[3] / "docs/how-to/archive.md"


@pytest.fixture
def habits(store, services, survey, publisher_key, make_batch):
    """The survey of the guide: closed, with 300 reports to one of its questions."""
    made = replace(survey, id="habits")
    publish(store, sign_manifest(made.payload, publisher_key))
    for region in (0, 1):
        batch = make_batch((1, 0) * 75, region=region, of=made)
        services.ingest.receive(encode_batch(batch, made))
    close(store, made.id)
    return made


@pytest.fixture
def tossup(config, tmp_path, monkeypatch):
    """Run a command line in an empty folder, on the data folder of the tests, on their day."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tossup.server.clock.today", lambda: date(2026, 3, 14))
    monkeypatch.setenv("TOSSUP_DATA", str(config.data))
    return lambda *line: CliRunner().invoke(root, line)


def test_the_commands_of_the_guide_run(tossup, habits):
    """Seal, both ways to count, and the end of retention; estimates are those of the counters."""
    guide = GUIDE.read_text(encoding="utf-8")
    lines = re.findall(r"^tossup (?:seal|aggregate|expire) .*", guide, re.MULTILINE)
    done = [tossup(*shlex.split(line)[1:]) for line in lines]

    assert [result.exit_code for result in done] == [0] * 4, [result.output for result in done]
    sealed, whole, by_region, expired = (result.output for result in done)
    assert "Sealed 300 reports in 1 file," in sealed
    assert re.search(r"yes +50.0 % +.* 300$", whole, re.MULTILINE)
    assert "North less South" in by_region
    assert "of 0 of 1 file" in expired


def test_other_tools_read_what_the_guide_shows(tossup, habits):
    """The statement of the guide, typed into DuckDB."""
    tossup("seal", "habits", "archive")
    (statement,) = re.findall(r'duckdb.sql\("""(.*)"""\)', GUIDE.read_text(encoding="utf-8"))

    assert duckdb.sql(statement).fetchall() == [(300, 150)]


def test_a_deleted_survey_says_so(tossup, habits, store):
    """`--delete` leaves the counters; a second sealing names the reason."""
    assert tossup("seal", "habits", "archive", "--delete").exit_code == 0

    again = tossup("seal", "habits", "elsewhere")
    assert (again.exit_code, store.survey("habits").reports) == (1, 300)
    assert "were deleted already" in again.output


def test_a_key_must_fit(tossup, habits):
    """Another key is refused by name; a word that is none, too."""
    tossup("seal", "habits", "archive")

    other = tossup("aggregate", "archive", "--key", "A" * 43)
    assert (other.exit_code, "not by" in other.output) == (1, True)
    assert tossup("aggregate", "archive", "--key", "AA").exit_code == 1
