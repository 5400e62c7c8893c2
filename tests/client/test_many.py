"""Many respondents behind one app: one store each, one manifest for all, and what each costs."""

import os
from collections import Counter
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from tossup.client import Client, Outcome, registry
from tossup.client.asking import turns
from tossup.client.store import database
from tossup.client.testing import MemoryServer
from tossup.shared.signing import sign_manifest
from tossup.shared.survey import Attribute, Option
from tossup.shared.waves import Waves

ONE = {"ever_tried": True, "region": "north"}


@pytest.fixture
def server(envelope):
    return MemoryServer(envelope)


@pytest.fixture
def respondent(survey, server, tmp_path):
    """Return the client of a respondent, who has a store of their own."""

    def client(name: object, **settings) -> Client:
        return Client(
            "https://survey.example/v1/surveys/habits-7",
            survey.publisher.key,
            store=tmp_path / "respondents" / f"{name}.db",
            **{"transport": server} | settings,
        )

    return client


def requests_of(server, monkeypatch) -> Counter:
    counted: Counter = Counter()
    truly = type(server).request

    def request(self, method, url, *more):
        counted[method] += 1
        return truly(self, method, url, *more)

    monkeypatch.setattr(type(server), "request", request)
    return counted


def test_a_manifest_is_fetched_once_and_handed_on(respondent, server, monkeypatch):
    """Everybody answers with it, and nobody but the first asks the server for it."""
    counted = requests_of(server, monkeypatch)
    manifest = respondent("first").manifest()

    for number in range(20):
        client = respondent(number, manifest=manifest)
        assert client.answer(ONE) is Outcome.QUEUED
        assert client.flush().sent == 1
    assert counted == {"GET": 1, "POST": 20}
    assert len(server.reports) == 20


def test_a_manifest_that_was_handed_on_is_stored_and_previewed_offline(respondent, server):
    """It is as good as a fetched one, also for a later client that was handed none."""
    manifest = respondent("first").manifest()
    server.online = False
    client = respondent("second", manifest=manifest)

    assert client.preview() is not None
    assert respondent("second").answer(ONE) is Outcome.QUEUED
    assert respondent("third", manifest=manifest).survey() is not None


def test_a_manifest_that_was_handed_on_is_not_trusted_more_than_a_fetched_one(
    respondent, survey, publisher_key
):
    """Another survey's, another key's, a changed one, and two faces of one version are refused."""
    other = sign_manifest(replace(survey, id="other").payload, publisher_key)
    face = sign_manifest(replace(survey, title={"en": "Others"}).payload, publisher_key)
    manifest = respondent("known").manifest()
    for wrong in (other, manifest[:-9] + b"AAAAAAAAA", b""):
        assert respondent("new", manifest=wrong).answer(ONE) is Outcome.REFUSED_MANIFEST
    assert respondent("known", manifest=face).answer(ONE) is Outcome.REFUSED_MANIFEST
    assert respondent("new", manifest="text").answer(ONE) is Outcome.MISCONFIGURED


def test_the_newest_version_wins_whichever_way_it_came(
    respondent, server, survey, envelope, publisher_key
):
    """An app that still hands on the first version takes nothing back."""
    second = replace(survey, version=2, previous=survey.digest, title={"en": "Habits, again"})
    newer = sign_manifest(second.payload, publisher_key)
    client = respondent("old", manifest=envelope)
    client.answer(ONE)
    client.flush()
    respondent("old", manifest=newer).preview()
    respondent("old", manifest=envelope).answer({"rating": "r2", "region": "north"})
    server.envelope = newer
    client.flush()

    assert {report.manifest for report in server.reports.values()} == {survey.digest, second.digest}


def test_a_manifest_that_was_handed_on_does_not_reopen_a_closed_survey(respondent, server):
    """Only the server's own answer says that it takes reports again."""
    manifest = respondent("first").manifest()
    client = respondent("second", manifest=manifest)
    client.answer(ONE)
    link = client._settings.link
    client._ready()._database.run(lambda c: registry.change_standing(c, link, closed=True))

    assert client.answer({"rating": "r2", "region": "north"}) is Outcome.CLOSED


@pytest.mark.parametrize("handed", [True, False])
def test_the_coins_choose_waves_once_whatever_is_refused(
    survey, publisher_key, respondent, monkeypatch, handed
):
    """A refused answer does not undo the choice, or else the first waves would be asked more."""
    option = tuple(Option(str(n), {"en": f"{n}"}) for n in range(1, 5))
    attributes = (*survey.attributes, Attribute("wave", {"en": "Wave"}, option))
    waves = Waves(4, date(2027, 1, 4), 7, times=1)
    waved = replace(survey, waves=waves, attributes=attributes)
    envelope = sign_manifest(waved.payload, publisher_key)
    settings = {"transport": MemoryServer(envelope)} | ({"manifest": envelope} if handed else {})
    choices, choose = [], turns.choose
    monkeypatch.setattr(turns, "choose", lambda *given: (choices.append(1), choose(*given))[1])
    for number in range(8):
        client = respondent(number, **settings)
        if number % 2:
            client.preview()
        outcomes = [client.answer(ONE, wave) for wave in (1, 2, 3, 4) for _ in range(3)]

        assert outcomes.count(Outcome.QUEUED) == 1
        assert len(choices) == number + 1


def test_no_file_stays_open(respondent, envelope):
    """Two hundred clients that live on hold nothing."""
    before = len(os.listdir("/proc/self/fd"))
    clients = [respondent(number % 20, manifest=envelope) for number in range(200)]
    for client in clients:
        client.answer(ONE)
        client.flush()
        client.status()

    assert len(os.listdir("/proc/self/fd")) == before


@pytest.mark.parametrize("answers", [ONE, {"rating": "r2", **ONE}], ids=["one", "two"])
def test_a_respondent_costs_three_transactions_and_one_verification(
    respondent, envelope, monkeypatch, answers
):
    """One commits the answers, one notes that they are about to be sent, one that they arrived.

    However many questions there are, and so requests.
    """
    respondent("first", manifest=envelope).answer(ONE)
    opened, verified = [], []
    connect, verify = database.connect, registry.verify_manifest
    monkeypatch.setattr(database, "connect", lambda path: (opened.append(path), connect(path))[1])
    monkeypatch.setattr(
        registry, "verify_manifest", lambda *given: (verified.append(1), verify(*given))[1]
    )
    client = respondent("second", manifest=envelope)
    client.answer(answers)
    result = client.flush()

    assert (result.sent, result.pending) == (len(answers) - 1, 0)
    assert (len(opened), verified) == (3, [])


def test_a_respondent_who_fetches_the_manifest_costs_no_more(respondent, monkeypatch):
    """Where there is no store, none is asked: the manifest is stored with the answer."""
    respondent("first").answer(ONE)
    opened = []
    connect = database.connect
    monkeypatch.setattr(database, "connect", lambda path: (opened.append(path), connect(path))[1])
    client = respondent("second")

    assert client.answer(ONE) is Outcome.QUEUED
    assert len(opened) == 1


def test_every_store_begins_alike_and_shares_nothing(respondent, envelope, tmp_path):
    """A new one is written from memory; what is in another is not in it."""
    respondent("first", manifest=envelope).answer(ONE)
    respondent("second").consent(agrees=True)

    assert respondent("second").status().answered_topics == ()
    first, second = (Path(tmp_path / "respondents" / f"{n}.db") for n in ("first", "second"))
    assert first.stat().st_mode == second.stat().st_mode
