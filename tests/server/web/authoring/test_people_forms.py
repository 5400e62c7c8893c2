"""Forms of members and keys: what they refuse is said on them, what they make is shown once."""

import re

from tossup.server.store.records import StorageFailed
from tossup.server.web.people.shown_once import SECONDS, Secret, ShownOnce


def test_what_a_form_makes_is_shown_once_and_made_once(author):
    """The answer to the form leads to the page; loading that again shows and makes nothing."""
    author.post("/members", name="Ada", role="analyst")
    made = {
        "/keys": author.post("/keys", name="nightly", role="viewer"),
        "/members": author.post("/members/1/link"),
    }
    secrets = {"/keys": r"TOSSUP_API_KEY=tsk_[\w-]{43}", "/members": r"/sign-in/[\w-]{43}<"}
    for page, answer in made.items():
        assert (303, page) == (answer.status_code, answer.location)
        assert not re.search(secrets[page], answer.text)
        assert re.search(secrets[page], author.get(page).text), page
        assert not re.search(secrets[page], author.get(page).text), page
    assert 1 == len(author.store.keys())


def test_a_secret_that_was_not_kept_is_not_shown(author, monkeypatch):
    """The disk refuses the line of the record, and with it the key or the link."""

    def refuse(*_line):
        raise StorageFailed("the disk is full")

    author.post("/members", name="ada", role="analyst")
    assert re.search(r"/sign-in/[\w-]{43}<", author.get("/members").text)
    monkeypatch.setattr(author.store, "note", refuse)
    made = {
        "/keys": author.post("/keys", name="nightly", role="viewer"),
        "/members": author.post("/members/1/link"),
    }
    for page, answer in made.items():
        assert answer.status_code >= 500, page
        assert not re.search(r"tsk_|/sign-in/[\w-]{43}<", author.get(page).text), page
    assert [] == author.store.keys()


def test_a_refusal_stands_on_the_form_with_what_was_typed(author):
    """Nothing changes, and nothing is recorded."""
    author.post("/members", name="ada", role="analyst")
    lines = len(author.store.record())
    refused = {
        "has this name": ("/members", {"name": "Ada", "role": "owner"}),
        "1 to 60 printable signs": ("/members", {"name": " ", "role": "owner"}),
        "printable signs": ("/keys", {"name": "\u202e", "role": "owner"}),
    }
    for what, (page, form) in refused.items():
        answer = author.post(page, **form)
        assert 422 == answer.status_code, what
        assert what in answer.text, answer.text
        assert "<title>Error: " in answer.text, what
        assert 'aria-invalid="true"' in answer.text, what
        assert f'value="{form["name"]}"' in answer.text, what
        assert '<option value="owner" selected>' in answer.text, what
    assert (1, lines) == (len(author.store.members()), len(author.store.record()))


def test_what_cannot_be_undone_is_asked_first(author):
    """On a page of its own, which says what is lost and changes nothing by itself."""
    author.post("/members", name="ada", role="analyst")
    author.post("/keys", name="nightly", role="viewer")
    assert "Remove ada?" in author.get("/members/1/remove").text
    assert "Revoke the key nightly?" in author.get("/keys/1/revoke").text
    assert (1, False) == (len(author.store.members()), author.store.keys()[0].revoked)
    assert 404 == author.get("/keys/2/revoke").status_code

    assert 303 == author.post("/members/1/remove").status_code
    assert 303 == author.post("/keys/1/revoke").status_code
    assert (0, True) == (len(author.store.members()), author.store.keys()[0].revoked)
    assert 404 == author.get("/keys/1/revoke").status_code


def test_a_secret_waits_for_its_own_session_for_a_minute():
    """Another session, another sort, or a later one finds nothing."""
    now = [0.0]
    shown, secret = ShownOnce(lambda: now[0]), Secret("tsk_1", "nightly")
    shown.keep(b"a", "key", secret)
    assert (None, None) == (shown.take(b"b", "key"), shown.take(b"a", "link"))
    assert secret == shown.take(b"a", "key")
    shown.keep(b"a", "key", secret)
    now[0] = SECONDS
    assert shown.take(b"a", "key") is None
