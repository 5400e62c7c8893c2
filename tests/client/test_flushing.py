"""A whole store is sent without a link: of every survey that was answered with it."""

import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest

import tossup.client
from tossup.client import Client, FlushResult, Outcome, flush_store

ANSWERS = {"ever_tried": True, "rating": "r2", "region": "north"}


def test_every_survey_of_a_store_is_sent(stub, survey, publisher_key, store):
    """Two surveys, one store, no link: four reports; a second time there is nothing to send."""
    questions = tuple(replace(q, topic=f"other-{q.topic}") for q in survey.questions)
    other = replace(survey, id="other", questions=questions)
    stub.publish(other, publisher_key)
    links = [stub.link(survey), stub.link(other)]
    for link in links:
        Client(link, survey.publisher.key, store=store).answer(ANSWERS)
    sent = flush_store(store)

    assert {link: result.sent for link, result in sent.items()} == dict.fromkeys(links, 2)
    assert len(stub.reports) == 4
    assert flush_store(str(store))[links[0]] == FlushResult(pending=0, quarantined=0, unwithdrawn=0)


def test_reports_go_where_the_last_answer_said(stub, survey, store):
    """A survey that has moved: the newer link is kept."""
    first = Client("https://old.example/v1/surveys/habits-7", survey.publisher.key, store=store)
    stub_client = Client(stub.link(survey), survey.publisher.key, store=store)
    manifest = stub_client.manifest()
    old = Client(
        "https://old.example/v1/surveys/habits-7",
        survey.publisher.key,
        store=store,
        manifest=manifest,
    )
    assert first.status().pending == 0
    assert old.answer({"ever_tried": True, "region": "north"}) is Outcome.QUEUED
    assert stub_client.answer({"rating": "r1", "region": "north"}) is Outcome.QUEUED

    assert flush_store(store)[stub.link(survey)].sent == 2


def test_what_cannot_be_asked_is_said_and_not_made(tmp_path, stub, survey):
    """No store, a relative path, rot, a store of an SDK that kept no servers."""
    assert flush_store(tmp_path / "none.db") == {}
    assert not list(tmp_path.iterdir())
    assert flush_store("none.db")[""].reason == "misconfigured"
    (tmp_path / "rotten.db").write_bytes(b"rotten" * 999)
    assert flush_store(tmp_path / "rotten.db")[""].reason == "ledger-damaged"
    older = tmp_path / "older.db"
    Client(stub.link(survey), survey.publisher.key, store=older).answer(ANSWERS)
    with closing(sqlite3.connect(older)) as connection:
        connection.execute("DROP TABLE servers")
    assert flush_store(older) == {}


def test_the_sdk_names_its_version():
    """As its distribution does; nothing else is invented on the package."""
    from importlib.metadata import version

    assert tossup.client.__version__ == version("tossup")
    with pytest.raises(AttributeError):
        tossup.client.nothing  # noqa: B018
