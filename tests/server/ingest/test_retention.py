"""Reports past their retention are deleted; counters stay."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from types import SimpleNamespace

import pytest

from tossup.server.ingest.commit import GroupCommit
from tossup.server.ingest.decoding import decode_reports
from tossup.server.ingest.known_day import jump, note_day
from tossup.server.ingest.recount import recount
from tossup.server.ingest.retention import Retention, expire_reports
from tossup.server.store import Store
from tossup.server.store.records import ReportsExpired, StorageFailed
from tossup.server.store.schema import migrations, statements
from tossup.server.surveys.lifecycle import close, delete, publish, reopen
from tossup.shared.signing import sign_manifest
from tossup.shared.survey import Survey
from tossup.shared.wire import encode_batch

ON_BOTH_STORES = True
DAY = date(2026, 3, 14)
IDS = tuple(bytes([200 + n]) * 16 for n in range(3))


@pytest.fixture
def counted(store: Store, survey: Survey, envelope: bytes, make_body) -> Store:
    """A store with three reports to a survey whose reports are kept for 365 days."""
    publish(store, envelope)
    GroupCommit(store).commit([decode_reports(make_body((1, 0, 1), ids=IDS), lambda _: survey)])
    return store


def test_reports_are_kept_for_as_long_as_was_said(counted: Store, survey: Survey) -> None:
    """Until the last day of the retention, counted from the day the survey closed."""
    close(counted, survey.id)

    assert [] == expire_reports(counted, DAY + timedelta(days=365))
    assert [survey.id] == expire_reports(counted, DAY + timedelta(days=366))
    assert [] == expire_reports(counted, DAY + timedelta(days=367))


def test_an_open_survey_keeps_its_reports(counted: Store) -> None:
    """Retention begins when the survey ends."""
    assert [] == expire_reports(counted, DAY + timedelta(days=10_000))


def test_a_survey_ends_with_its_last_day(store: Store, survey: Survey, publisher_key) -> None:
    """Whether or not someone closes it later by hand."""
    dated = replace(survey, closes=DAY - timedelta(days=10), retention_days=5)
    publish(store, sign_manifest(dated.payload, publisher_key))
    close(store, survey.id)

    assert DAY - timedelta(days=10) == store.survey(survey.id).ended
    assert [survey.id] == expire_reports(store, DAY)


@pytest.mark.sqlite  # PostgreSQL overwrites what is deleted later: see the guide
def test_nothing_of_a_report_is_left_on_disk(counted: Store, config, survey: Survey) -> None:
    """Ids are overwritten in the database and its journal; tally and number of reports stay."""
    before = counted.tally(survey.id)
    close(counted, survey.id)
    expire_reports(counted, DAY + timedelta(days=366))
    files = b"".join(path.read_bytes() for path in config.data.iterdir())

    assert [False] * 3 == [report_id in files for report_id in IDS]
    assert before == counted.tally(survey.id)
    assert (3, True) == (counted.survey(survey.id).reports, counted.survey(survey.id).expired)


def test_a_recount_says_that_there_is_nothing_to_count(counted: Store, survey: Survey) -> None:
    """Not that everything agrees."""
    close(counted, survey.id)
    expire_reports(counted, DAY + timedelta(days=366))
    with pytest.raises(ReportsExpired, match="retention"):
        recount(counted, survey.id)


def test_an_expired_survey_stays_closed_when_the_clock_is_set_back(
    database, survey: Survey, publisher_key, make_batch
) -> None:
    """Reports that came now would be kept beyond what was promised, and counted beside nothing."""
    day = [DAY]
    store = database.open(day=lambda: day[0])
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
    counted: Store, survey: Survey, wait_until: Callable[..., None], monkeypatch
) -> None:
    """At its start, and then every hour."""
    close(counted, survey.id)
    monkeypatch.setattr(counted, "clock", lambda: DAY + timedelta(days=366))
    retention = Retention(counted)
    retention.start()
    wait_until(lambda: counted.survey(survey.id).expired)
    retention.stop()

    assert counted.survey(survey.id).expired


def test_what_another_server_did_meanwhile_is_seen(
    counted: Store, survey: Survey, monkeypatch
) -> None:
    """Between the look and the end a survey may be reopened, expired, or deleted."""
    close(counted, survey.id)
    seen, after = counted.survey(survey.id), DAY + timedelta(days=366)
    monkeypatch.setattr(counted, "survey_ids", lambda: [survey.id])
    monkeypatch.setattr(counted, "survey", lambda _: seen)
    reopen(counted, survey.id)
    found = [expire_reports(counted, after), counted.surveys()[0].state]
    close(counted, survey.id)
    found += [expire_reports(counted, after) for _ in range(2)]
    delete(counted, survey.id, losing=3)
    found.append(expire_reports(counted, after))

    assert [[], "open", [survey.id], [], []] == found


def test_no_fault_ends_the_look(counted: Store, survey: Survey, monkeypatch, wait_until) -> None:
    """Such as a database that is gone: once it is back the promise is kept."""
    close(counted, survey.id)
    faults, ids = [ValueError("damaged"), StorageFailed("gone")], counted.survey_ids

    def damaged():
        if faults:
            raise faults.pop()
        return ids()

    monkeypatch.setattr(counted, "survey_ids", damaged)
    monkeypatch.setattr(counted, "clock", lambda: DAY + timedelta(days=366))
    monkeypatch.setattr("tossup.server.ingest.retention._HOUR_SECONDS", 0.01)
    retention = Retention(counted)
    retention.start()
    wait_until(lambda: counted.survey(survey.id).expired)
    retention.stop()

    assert [] == faults


def test_a_damaged_survey_keeps_no_other_from_expiring(
    counted: Store, database, survey: Survey, publisher_key, caplog
) -> None:
    """Its manifest says no more how long; the log says that, and the doctor which it is.

    Nor does it keep others out of the list.
    """
    for name in ("a-damaged", "whole"):  # the damaged one is looked at first
        publish(counted, sign_manifest(replace(survey, id=name).payload, publisher_key))
    for name in ("a-damaged", survey.id, "whole"):
        close(counted, name)
    counted._change("UPDATE manifests SET envelope = ? WHERE survey = 'a-damaged'", b"\0" * 20)
    store = database.open(day=lambda: DAY)  # which has not read it before
    found = expire_reports(store, DAY + timedelta(days=366))
    again = expire_reports(store, DAY + timedelta(days=367))
    records, damaged = store.readable()
    store.close()

    assert ([survey.id, "whole"], ["a-damaged"]) == ([each.survey.id for each in records], damaged)
    assert ([survey.id, "whole"], []) == (found, again)
    assert ["a survey's retention cannot be read: ManifestDamaged; tossup doctor names it"] * 2 == [
        record.getMessage() for record in caplog.records
    ]


@pytest.fixture
def clocked(database, survey: Survey, publisher_key, make_batch):
    """A server's store with reports and a last day, and what happens as its clock is set."""
    day = [DAY]
    store = database.open(day=lambda: day[0])
    dated = replace(survey, closes=DAY + timedelta(days=30), late_days=0, retention_days=60)
    publish(store, sign_manifest(dated.payload, publisher_key))
    body = encode_batch(make_batch(of=dated), dated)

    def look(days: int) -> tuple[bool, str, bool]:
        """Start a server on a day; return its jump, what it answers, and what is deleted."""
        day[0] = DAY + timedelta(days=days)
        retention = Retention(store)
        retention.start()
        retention.stop()
        (result,) = GroupCommit(store).commit([decode_reports(body, lambda _: dated)])
        answer = "counted" if isinstance(result, int) else result.code
        return retention.jump() is not None, answer, store.survey(dated.id).expired

    yield SimpleNamespace(store=store, look=look, day=lambda: day[0])
    store.close()


def test_a_clock_set_ahead_deletes_nothing_and_ends_nothing(clocked) -> None:
    """Neither at once nor later, nor once it is set back: devices keep what they have."""
    steps = [0, 6, 3650, 3651, 7, -3650, 3650, 8]
    found = {step: clocked.look(step) for step in steps}

    right, ahead = (False, "counted", False), (True, "clock-jumped", False)
    assert found == {
        0: right, 6: right, 3650: ahead, 3651: ahead, 7: right, -3650: right, 8: right,
    }  # fmt: skip


def test_reports_that_come_while_the_clock_is_ahead_do_not_prove_it(
    counted: Store, database, survey: Survey, make_body
) -> None:
    """Their day is that of the clock, which nobody vouches for."""
    note_day(counted, DAY)
    ahead = database.open(day=lambda: DAY + timedelta(days=3650))
    GroupCommit(ahead).commit([decode_reports(make_body((1,)), lambda _: survey)])
    last, known = ahead.last_day(survey.id), ahead.known_day()
    ahead.close()

    assert (DAY + timedelta(days=3650), DAY) == (last, known)


def test_time_that_passes_is_believed_and_a_far_day_is_once_it_is_confirmed(clocked) -> None:
    """A week at a time by itself; what is over is then deleted, as was promised."""
    for days in range(0, 30, 7):
        assert (False, "counted", False) == clocked.look(days)
    assert (True, "clock-jumped", False) == clocked.look(200)
    clocked.store.note_day(clocked.day())

    assert (False, "survey-closed", True) == clocked.look(200)


def test_a_machine_that_starts_decades_ago_needs_no_confirmation(store: Store) -> None:
    """As one without a battery does, until it asks for the time."""
    found = [note_day(store, day) for day in (date(1970, 1, 1), DAY)]

    assert [None, None] == found
    assert DAY == store.known_day()


@pytest.mark.sqlite  # no earlier version wrote to PostgreSQL
def test_data_of_an_earlier_version_knows_the_day_of_its_last_report(
    counted: Store, survey: Survey
) -> None:
    """So a clock that is ahead when the server is upgraded deletes nothing."""
    name, script = migrations()[4]
    with counted._pool.lend() as connection:
        connection.execute("DROP TABLE known_day")
        for statement in statements(script):
            connection.execute(statement)

    assert ("0005_known_day.sql", DAY) == (name, counted.known_day())
    assert jump(counted, DAY + timedelta(days=8))
    assert jump(counted, DAY + timedelta(days=7)) is None
