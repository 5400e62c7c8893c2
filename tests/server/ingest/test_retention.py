"""Reports past their retention are deleted; counters stay."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from tossup.server.ingest.commit import GroupCommit
from tossup.server.ingest.decoding import decode_reports
from tossup.server.ingest.recount import recount
from tossup.server.ingest.retention import Retention, expire_reports
from tossup.server.store import ReportsExpired, SQLiteStore
from tossup.server.surveys.lifecycle import close, publish
from tossup.shared.signing import sign_manifest
from tossup.shared.survey import Survey
from tossup.shared.wire import encode_batch

DAY = date(2026, 3, 14)
IDS = tuple(bytes([200 + n]) * 16 for n in range(3))


@pytest.fixture
def counted(store: SQLiteStore, survey: Survey, envelope: bytes, make_body) -> SQLiteStore:
    """A store with three reports to a survey whose reports are kept for 365 days."""
    publish(store, envelope)
    GroupCommit(store).commit([decode_reports(make_body((1, 0, 1), ids=IDS), lambda _: survey)])
    return store


def test_reports_are_kept_for_as_long_as_was_said(counted: SQLiteStore, survey: Survey) -> None:
    """Until the last day of the retention, counted from the day the survey closed."""
    close(counted, survey.id)

    assert [] == expire_reports(counted, DAY + timedelta(days=365))
    assert [survey.id] == expire_reports(counted, DAY + timedelta(days=366))
    assert [] == expire_reports(counted, DAY + timedelta(days=367))


def test_an_open_survey_keeps_its_reports(counted: SQLiteStore) -> None:
    """Retention begins when the survey ends."""
    assert [] == expire_reports(counted, DAY + timedelta(days=10_000))


def test_a_survey_ends_with_its_last_day(store: SQLiteStore, survey: Survey, publisher_key) -> None:
    """Whether or not someone closes it later by hand."""
    dated = replace(survey, closes=DAY - timedelta(days=10), retention_days=5)
    publish(store, sign_manifest(dated.payload, publisher_key))
    close(store, survey.id)

    assert DAY - timedelta(days=10) == store.survey(survey.id).ended
    assert [survey.id] == expire_reports(store, DAY)


def test_nothing_of_a_report_is_left_on_disk(counted: SQLiteStore, config, survey: Survey) -> None:
    """Ids are overwritten in the database and its journal; tally and number of reports stay."""
    before = counted.tally(survey.id)
    close(counted, survey.id)
    expire_reports(counted, DAY + timedelta(days=366))
    files = b"".join(path.read_bytes() for path in config.data.iterdir())

    assert [False] * 3 == [report_id in files for report_id in IDS]
    assert before == counted.tally(survey.id)
    assert (3, True) == (counted.survey(survey.id).reports, counted.survey(survey.id).expired)


def test_a_recount_says_that_there_is_nothing_to_count(
    counted: SQLiteStore, survey: Survey
) -> None:
    """Not that everything agrees."""
    close(counted, survey.id)
    expire_reports(counted, DAY + timedelta(days=366))
    with pytest.raises(ReportsExpired, match="retention"):
        recount(counted, survey.id)


def test_an_expired_survey_stays_closed_when_the_clock_is_set_back(
    tmp_path: Path, survey: Survey, publisher_key, make_batch
) -> None:
    """Reports that came now would be kept beyond what was promised, and counted beside nothing."""
    day = [DAY]
    store = SQLiteStore(tmp_path / "t.sqlite3", day=lambda: day[0])
    dated = replace(survey, closes=DAY, retention_days=1)
    publish(store, sign_manifest(dated.payload, publisher_key))
    batch = decode_reports(encode_batch(make_batch(of=dated), dated), lambda _: dated)
    day[0] = DAY + timedelta(days=2)
    expire_reports(store, day[0])
    day[0] = DAY
    (refused,) = GroupCommit(store).commit([batch])
    state = store.survey(survey.id).state
    store.close()

    assert ("closed", "survey-closed") == (state, refused.code)


def test_a_running_server_looks_by_itself(
    tmp_path: Path, counted: SQLiteStore, survey: Survey, wait_until: Callable[..., None]
) -> None:
    """At its start, and then every hour."""
    close(counted, survey.id)
    retention = Retention(counted, day=lambda: DAY + timedelta(days=366))
    retention.start()
    wait_until(lambda: counted.survey(survey.id).expired)
    retention.stop()

    assert counted.survey(survey.id).expired
