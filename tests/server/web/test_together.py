"""A change and its line of the record: neither is ever kept without the other."""

import os
import re
import signal
from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest
from flask import Flask
from flask.testing import FlaskClient
from killing import child, wait
from sweeps import proving

from tossup.server.config import Config
from tossup.server.store import StorageFailed, Store
from tossup.server.surveys.lifecycle import publish
from tossup.server.web.access import actions
from tossup.server.web.app import create_app
from tossup.server.web.auth import CSRF_HEADER
from tossup.server.web.people import passwords
from tossup.shared.signing import sign_manifest

ON_BOTH_STORES = True
SAME_ORIGIN = {"Sec-Fetch-Site": "same-origin"}
DRAFT = {
    "title": "Nights",
    "purpose": "To learn how common it is.",
    "languages": "en",
    "publisher.name": "Example University",
    "publisher.contact": "irb@example.org",
}
SAVED = {"id": "nights", "title.en": "Nights", "purpose.en": "To learn how common."}
QUESTION = {"form": "yes_no", "text.en": "Have you?", "odds": "3"}
FILE = """
id = "taken-in"
title = "Taken in"
purpose = "To learn."
[publisher]
name = "Example University"
contact = "irb@example.org"
[[question]]
id = "ever"
text = "Have you?"
"""
PASSWORD = "correct horse battery staple"
#: Statements that change nothing, by how they begin.
READS = ("SELECT", "PRAGMA", "SET ", "BEGIN", "VACUUM", "DECLARE", "FETCH")


class Fuse:
    """Counts the statements of all connections that change something; one of them fails or kills.

    ``at`` is that statement's place from 1, None for none. Where it kills, a commit counts twice:
    before and after it happened.
    """

    def __init__(self) -> None:
        self.at: int | None = None
        self.passed = 0
        self.kills = False
        self.only: tuple[str, ...] = ("",)

    def burn(self, sql: str) -> None:
        if not sql.lstrip().startswith(self.only):
            return
        self.passed += 1
        if self.passed != self.at:
            return
        if self.kills:
            os.kill(os.getpid(), signal.SIGKILL)
        raise StorageFailed("the disk failed")


class Fused:
    """A connection whose statements burn the fuse."""

    def __init__(self, connection, fuse: Fuse) -> None:
        self._connection, self._fuse = connection, fuse

    def execute(self, sql, parameters=()):
        if sql.lstrip().startswith(READS):
            return self._connection.execute(sql, parameters)
        self._fuse.burn(sql)
        done = self._connection.execute(sql, parameters)
        if sql == "COMMIT" and self._fuse.kills:
            self._fuse.burn(sql)
        return done

    def __getattr__(self, name):
        return getattr(self._connection, name)


@dataclass
class Desk:
    """An owner's browser and program at an application whose storage fails when it is told to."""

    app: Flask
    browser: FlaskClient
    headers: dict[str, str]
    key: dict[str, str]
    other: bytes  # a survey of the same publisher, signed

    @property
    def store(self) -> Store:
        return self.app.extensions["tossup"].store

    def send(self, method: str, path: str, form: dict[str, str] | bytes) -> int:
        form = dict(form) if isinstance(form, dict) else form
        if path.startswith("/v1"):
            sent = {"headers": self.key, "data": form, "content_type": "application/json"}
            return self.app.test_client().open(path, method=method, **sent).status_code
        if path.startswith("/drafts/") and path.split("/")[2].isdigit():
            form["revision"] = str(self.store.draft(int(path.split("/")[2])).revision)
        answer = self.browser.open(path, method=method, data=form, headers=self.headers)
        return answer.status_code

    def now(self, path: str) -> str:
        """Return the path with the numbers that rows have now; a failure may use one up."""
        for name, rows in (
            ("MEMBER", self.store.members),
            ("KEY", self.store.keys),
            ("DRAFT", self.store.drafts),
        ):
            if name in path:
                path = path.replace(name, str(rows()[-1].number))
        if path == "/sign-in/LINK":
            auth = self.app.extensions["tossup"].auth
            self.browser = self.app.test_client()
            return f"/sign-in/{auth.create_link(member=self.store.members()[0].number)}"
        return path


#: What an owner changes, one after the other, each after what it needs.
STEPS: list[tuple[str, str, dict[str, str]]] = [
    ("POST", "/members", {"name": "ada", "role": "viewer"}),
    ("POST", "/members/MEMBER/role", {"role": "analyst"}),
    ("POST", "/members/MEMBER/link", {}),
    ("POST", "/keys", {"name": "program", "role": "viewer"}),
    ("POST", "/keys/KEY/revoke", {}),
    ("POST", "/drafts/new", DRAFT),
    ("POST", "/drafts/DRAFT", {**DRAFT, **SAVED}),
    ("POST", "/drafts/DRAFT/questions/1", QUESTION),
    ("POST", "/drafts/DRAFT/publish", {"by": "server"}),
    ("POST", "/surveys/nights/next", {}),
    ("POST", "/drafts/DRAFT/delete", {}),
    ("POST", "/drafts/import", {"text": FILE}),
    ("POST", "/surveys/nights/close", {}),
    ("POST", "/surveys/nights/reopen", {}),
    ("POST", "/surveys/nights/delete", {"address": "nights", "losing": "0"}),
    ("POST", "/v1/surveys/habits-7/close", {}),
    ("POST", "/v1/surveys/habits-7/reopen", {}),
    ("DELETE", "/v1/surveys/habits-7", {}),
    ("POST", "/v1/surveys", {}),
    ("POST", "/sign-in/LINK", {"password": PASSWORD}),
    ("POST", "/members/MEMBER/remove", {}),
]
ENDS = ("INSERT INTO record", "COMMIT")
#: These only end a session of the caller's own, which leaves none to look with.
ENDINGS = {"/sign-out", "/sessions/end"}


def state(store: Store) -> tuple[object, ...]:
    """Return all that an owner can change, but for sessions."""
    surveys = [(r.survey.digest, r.closed, r.reports) for r in store.surveys()]
    links = store._rows("SELECT count(*) FROM setup_links WHERE member IS NOT NULL")[0][0]
    kept = [(each.number, each.revoked) for each in store.keys()]  # noqa: SIM118 - no dict
    return surveys, store.members(), kept, store.drafts(), links


@pytest.fixture
def fuse() -> Fuse:
    return Fuse()


@pytest.fixture
def desk(
    database, fuse: Fuse, envelope, survey, publisher_key, tmp_path, monkeypatch
) -> Iterator[Desk]:
    monkeypatch.setattr(passwords, "_LOG2_N", 4)  # scrypt takes no tenths of a second
    config: Config = replace(database.config, publisher_key=tmp_path / "publisher.pem")
    store = database.open(wrap=lambda connection: Fused(connection, fuse))
    publish(store, envelope)
    app = create_app(config, store=store)
    # Its thread would burn the fuse, or leave a lock of SQLite in every process that is forked.
    app.extensions["tossup"].retention.stop()
    auth = app.extensions["tossup"].auth
    browser, session = app.test_client(), auth.begin_session(None)
    browser.set_cookie(auth.cookie, session)
    with app.test_request_context(headers={"Cookie": f"{auth.cookie}={session}"}):
        headers = {**SAME_ORIGIN, CSRF_HEADER: auth.csrf_token()}
    key = {"Authorization": f"Bearer {auth.create_key('program')}"}
    other = sign_manifest(replace(survey, id="other").payload, publisher_key)
    yield Desk(app, browser, headers, key, other)
    app.extensions["tossup"].close()


def test_every_route_that_changes_something_is_among_the_steps(desk: Desk) -> None:
    """A new one is put there by hand, so that its failures are looked at."""
    guarded = {
        (method, rule)
        for method, rule, access, _ in actions(desk.app)
        if method != "GET" and access.by in {"session", "api-key"} and rule not in ENDINGS
    }
    steps = [(method, path) for method, path, _ in STEPS]
    missing = [
        (method, rule)
        for method, rule in guarded
        if not any(method == each and re.fullmatch(_pattern(rule), path) for each, path in steps)
    ]

    assert missing == []


def _pattern(rule: str) -> str:
    return re.sub(r"<[^>]*>", "[^/]+", rule)


@pytest.mark.parametrize("only", proving([ENDS, ("",)], but=[ENDS]), ids=["ends", "all"])
def test_a_failure_at_any_statement_leaves_change_and_line_or_neither(
    desk: Desk, fuse: Fuse, only: tuple[str, ...]
) -> None:
    """Of every change, at each statement that writes; in `make test` at the line and the commit."""
    wrong, fuse.only = [], only
    for method, path, form in STEPS:
        sent = desk.other if (method, path) == ("POST", "/v1/surveys") else form
        for at in range(1, 100):
            mine, address = desk.browser, desk.now(path)
            before, lines = state(desk.store), len(desk.store.record())
            fuse.passed, fuse.at = 0, at
            status = desk.send(method, address, sent)
            failed, fuse.at = fuse.passed >= at, None
            desk.browser = mine
            changed = state(desk.store) != before
            told = len(desk.store.record()) != lines
            if changed != told or (failed and changed):
                wrong.append((path, at, changed, told))
            if not failed:
                assert changed, (path, status)
                break

    assert wrong == []


@pytest.mark.prove
def test_a_kill_at_any_statement_leaves_change_and_line_or_neither(
    database, desk: Desk, fuse: Fuse
) -> None:
    """The same of a process that dies, also just after the commit, when both are there."""
    fuse.kills = True
    wrong = []
    for method, path, form in STEPS[:3] + STEPS[5:9] + STEPS[12:15]:
        for at in range(1, 100):
            before, lines = state(desk.store), len(desk.store.record())
            code = wait(child(_dying, database, desk, fuse, at, (method, desk.now(path), form)))
            changed = state(desk.store) != before
            told = len(desk.store.record()) != lines
            if changed != told or code not in {0, -signal.SIGKILL}:
                wrong.append((path, at, changed, told, code))
            if changed:
                break

    assert wrong == []


def _dying(database, desk: Desk, fuse: Fuse, at: int, step) -> None:
    """Send a step with connections of this process's own, and die at a statement."""
    store = database.open(wrap=lambda connection: Fused(connection, fuse))
    config = desk.app.extensions["tossup"].config
    app = create_app(config, store=store, reading=True)
    browser = app.test_client()
    auth = app.extensions["tossup"].auth
    browser.set_cookie(auth.cookie, desk.browser.get_cookie(auth.cookie).value)
    fuse.passed, fuse.at = 0, at
    mine = replace(desk, app=app, browser=browser)
    assert mine.send(*step) < 400
