"""Copies of large answers that one visitor alone needs are bounded together."""

import threading
from concurrent.futures import ThreadPoolExecutor

from flask import Flask

from tossup.server.refusals import Busy
from tossup.server.web import answers
from tossup.server.web.middleware import copies
from tossup.server.web.middleware.copies import LARGE, SLOTS, hold_copy
from tossup.server.web.middleware.packed import pack, unpacked_size

GZIP = {"Accept-Encoding": "gzip"}
SURVEY = "/surveys/habits-7"
API = f"/v1{SURVEY}/results"


class Copying:
    """An application whose view makes a copy of a size, and waits for a gate with it."""

    def __init__(self, waiting):
        self.gate, self.begun = threading.Event(), threading.Semaphore(0)
        self.now = self.most = 0
        self.app = Flask("copying")
        self.app.register_error_handler(Busy, lambda _: ("busy", 503))
        self.app.add_url_rule("/<int:size>", view_func=self.view)
        copies.register(self.app, waiting)

    def view(self, size):
        hold_copy(size)
        self.now += 1
        self.most = max(self.most, self.now)
        self.begun.release()
        assert self.gate.wait(300)
        self.now -= 1
        if size % 2:
            raise Busy
        return "copied"

    def get(self, size):
        return self.app.test_client().get(f"/{size}").status_code


def test_two_copies_are_made_at_once(monkeypatch):
    """Twelve visitors wait for one another; those who find no place to wait are refused at once."""
    monkeypatch.setattr(copies, "PATIENCE_SECONDS", 300)
    copying = Copying(waiting=12)
    with ThreadPoolExecutor(12) as pool:
        found = [pool.submit(copying.get, LARGE + odd) for odd in (0, 1) * 6]
        for _ in range(SLOTS):
            assert copying.begun.acquire(timeout=300)
        copies_of = copying.app.extensions["tossup-copies"]
        while copies_of._places._value:
            assert not any(each.done() for each in found)
        assert 503 == copying.get(LARGE)
        copying.gate.set()

    assert [200, 503] * 6 == [each.result() for each in found]
    assert SLOTS == copying.most
    assert 200 == copying.get(LARGE)  # after an error a slot is free as well


def test_small_copies_do_not_count():
    """As many as there are threads: together they hold little."""
    copying = Copying(waiting=SLOTS)
    with ThreadPoolExecutor(5) as pool:
        found = [pool.submit(copying.get, LARGE - 2) for _ in range(5)]
        for _ in found:
            assert copying.begun.acquire(timeout=300)
        copying.gate.set()

    assert [200] * 5 == [each.result() for each in found]


def test_whoever_waits_too_long_comes_again(monkeypatch):
    """And gives the place back."""
    monkeypatch.setattr(copies, "PATIENCE_SECONDS", 0.01)
    copying = Copying(waiting=SLOTS + 1)
    with ThreadPoolExecutor(SLOTS) as pool:
        for _ in range(SLOTS):
            pool.submit(copying.get, LARGE)
            assert copying.begun.acquire(timeout=300)
        found = [copying.get(LARGE) for _ in range(3)]
        copying.gate.set()

    assert [503] * 3 == found


def test_every_answer_that_is_copied_for_a_visitor_is_bounded(
    client, key, services, reported, monkeypatch
):
    """Pages, their live part and files: with no slot free 503 says when to come again.

    What goes out as it is kept needs none.
    """
    body = b"<p>large</p>" * 10_000
    monkeypatch.setattr(answers, "is_dear", lambda *_: True)
    monkeypatch.setattr(services.answers, "_aside", lambda _: pack(body))
    monkeypatch.setattr(copies, "LARGE", len(body))
    link = services.auth.create_link()
    client.post(f"/sign-in/{link}", headers={"Origin": "http://localhost"})
    files = ["/results.csv", "/results.json", "/results.csv?format=excel"]
    addresses = [SURVEY + rest for rest in ("", "/live", "/methods", *files)] + [API, f"{API}.csv"]
    found = [client.get(address, headers=key) for address in addresses]

    def busy(_copies):
        raise Busy

    monkeypatch.setattr(copies._Copies, "take", busy)
    refused = [client.get(address, headers=key) for address in addresses]
    packed = client.application.test_client().get(API, headers=key | GZIP)

    assert len(body) == unpacked_size(pack(body))
    for address, before, after in zip(addresses, found, refused, strict=True):
        assert before.status_code == 200, address
        assert body in before.data, address
        assert (503, "1") == (after.status_code, after.headers.get("Retry-After")), address
    assert (200, "gzip") == (packed.status_code, packed.headers["Content-Encoding"])
