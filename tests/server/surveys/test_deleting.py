"""Deleting a survey: what goes, what stays, and what those are told who come later."""

import os
import secrets
import sqlite3
from contextlib import closing
from dataclasses import replace
from itertools import count

import pytest
from dying_server import Dying

from tossup.server.store import SQLiteStore
from tossup.server.store.connection import connect
from tossup.server.store.records import SurveyDeleted
from tossup.server.surveys.lifecycle import delete
from tossup.shared.signing import sign_manifest
from tossup.shared.wire import MANIFEST_TYPE, REPORTS_TYPE, Batch, encode_batch


@pytest.fixture
def published(client, key, survey, publisher_key):
    """The survey, on the server; returns a function that sends so many reports."""
    body = sign_manifest(survey.payload, publisher_key)
    client.post("/v1/surveys", data=body, headers=key, content_type=MANIFEST_TYPE)

    def send(n: int):
        question = survey.questions[0]
        batch = Batch(
            survey.digest,
            tuple(secrets.token_bytes(16) for _ in range(n)),
            {question.id: (1,) * n},
            {attribute.id: (0,) * n for attribute in survey.attributes},
        )
        return client.post(
            "/v1/reports", data=encode_batch(batch, survey), content_type=REPORTS_TYPE
        )

    return send


def code(response) -> str:
    return response.json["type"].rpartition(":")[2]


def test_it_works(client, key, published, survey):
    """A survey without reports goes; it is listed no more and has no results."""
    path = f"/v1/surveys/{survey.id}"
    done = client.delete(path, headers=key)

    assert (200, {"id": survey.id, "state": "deleted", "lost": 0}) == (done.status_code, done.json)
    assert [] == client.get("/v1/surveys", headers=key).json["surveys"]
    for gone in (path, f"{path}/results", f"{path}/results.csv"):
        answer = client.get(gone, headers=key)
        assert (410, "survey-closed") == (answer.status_code, code(answer)), gone
        assert "was deleted on" in answer.json["detail"], gone
    assert 410 == client.delete(path, headers=key).status_code


def test_it_takes_a_key(client, published, survey):
    """Not even a published survey is deleted by anyone."""
    assert 401 == client.delete(f"/v1/surveys/{survey.id}").status_code


def test_reports_are_lost_only_by_as_many_as_are_named(client, key, published, survey):
    """Some that came since whoever deletes looked are not lost unawares."""
    published(5)
    path = f"/v1/surveys/{survey.id}"
    for losing, status in (("", 409), ("?losing=4", 409), ("?losing=-1", 422), ("?loosing=5", 422)):
        answer = client.delete(path + losing, headers=key)
        assert status == answer.status_code, losing
    assert 5 == client.get("/v1/surveys", headers=key).json["surveys"][0]["reports"]

    assert 5 == client.delete(f"{path}?losing=5", headers=key).json["lost"]


def test_nothing_of_the_reports_stays_and_it_is_durable(
    client, key, published, survey, store, config
):
    """Neither counters nor ids, also for a process that opens the data anew."""
    published(5)
    client.delete(f"/v1/surveys/{survey.id}?losing=5", headers=key)
    again = SQLiteStore(config.database)

    assert ([], []) == (store.tally(survey.id), again.tally(survey.id))
    assert [] == again.surveys()
    with pytest.raises(SurveyDeleted):
        again.survey(survey.id)
    with store.audit(survey.id) as (cells, chunks):
        assert ([], []) == (cells, list(chunks))
    again.close()


def test_later_reports_are_refused_with_the_reason_and_not_counted(client, key, published, survey):
    """Reports, and withdrawals of those that are gone."""
    published(5)
    client.delete(f"/v1/surveys/{survey.id}?losing=5", headers=key)
    answer = published(1)

    assert (410, "survey-closed") == (answer.status_code, code(answer))
    assert "the survey was deleted on" in answer.json["detail"]


def test_its_id_is_never_taken_again(client, key, published, survey, publisher_key):
    """Neither with the same meaning nor with another, as a first version or as a next one."""
    client.delete(f"/v1/surveys/{survey.id}", headers=key)
    other = replace(survey, title=dict.fromkeys(survey.title, "Other"))
    later = replace(survey, version=2, previous=survey.digest)
    for made in (survey, other, later):
        body = sign_manifest(made.payload, publisher_key)
        answer = client.post("/v1/surveys", data=body, headers=key, content_type=MANIFEST_TYPE)
        assert (409, "survey-conflict") == (answer.status_code, code(answer))
        assert "choose another id" in answer.json["detail"]


def test_an_unknown_survey_is_that_whatever_else_is_asked(client, key):
    """Before the query is looked at: 404, not 422."""
    for query in ("", "?losing=3", "?losing=x", "?loosing=3"):
        answer = client.delete(f"/v1/surveys/no-such-survey{query}", headers=key)
        assert (404, "survey-unknown") == (answer.status_code, code(answer)), query


def deleted_and_cut_off(database, survey_id, statement, when):
    """Delete a survey in a process that is killed at a statement; return whether it was done."""
    pid = os.fork()
    if pid == 0:
        store = SQLiteStore(database, connect=lambda path: Dying(connect(path)))
        Dying.left, Dying.when = statement, when
        delete(store, survey_id, 5)
        os._exit(7)
    _, status = os.waitpid(pid, 0)
    return os.WIFEXITED(status) and os.WEXITSTATUS(status) == 7


def test_a_deletion_that_is_killed_is_whole_or_undone(
    published, services, survey, config, tmp_path
):
    """SIGKILL before and after each of its statements: all is there, or nothing; done is done."""
    services.retention.stop()  # a lock of SQLite that its thread has would stay locked in a fork
    published(5)
    cut_off = {True: 0, False: 0}
    for statement in count(1):
        for when in ("before", "after"):
            copy = tmp_path / f"{statement}-{when}.db"
            with (
                closing(sqlite3.connect(config.database)) as own,
                closing(sqlite3.connect(copy)) as other,
            ):
                own.backup(other)
            done = deleted_and_cut_off(copy, survey.id, statement, when)
            again = SQLiteStore(copy)
            with again.audit(survey.id) as (cells, chunks):
                left = (
                    sum(len(chunk.ids) // 16 for chunk in chunks),
                    sum(sum(c.counts) for c in cells),
                )
            try:
                is_there = again.survey(survey.id).reports == 5
            except SurveyDeleted:
                is_there = False
            again.close()

            assert left == ((5, 5) if is_there else (0, 0)), (statement, when)
            assert not (done and is_there)
            cut_off[is_there] += not done
        if done:
            break
    assert min(cut_off.values()) > 0
