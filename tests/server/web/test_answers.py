"""What is made of results is made once, kept, bounded, and aside where it is dear."""

import json
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from types import SimpleNamespace
from unittest import mock

import pytest

from tossup.server.clock import today
from tossup.server.refusals import Busy, Refused
from tossup.server.web import answers as module
from tossup.server.web.answers import FRESH_SECONDS, Answers, Asked, NotReady
from tossup.server.web.middleware import compression
from tossup.server.web.middleware.packed import pack, unpack

ASKED = Asked("kind", "habits-7", ())
RECORD = SimpleNamespace(survey=SimpleNamespace(id="habits-7"))


class Works:
    """An `Answers` whose makers count their work and wait for a gate, and whose clock is ours."""

    def __init__(self, monkeypatch, *, dear=False, **settings):
        self.made, self.seconds = [], 0.0
        self.gate = threading.Event()
        self.gate.set()
        monkeypatch.setitem(module.MAKERS, "kind", lambda asked, _: self.make(asked))
        monkeypatch.setattr(module, "is_dear", lambda *_: dear)
        settings = {"waiting": 16} | settings
        self.answers = Answers(None, self.make_aside, now=lambda: self.seconds, **settings)

    def make(self, asked):
        self.made.append(asked)
        assert self.gate.wait(300)
        return b"answer %d" % len(self.made)

    def make_aside(self, asked):
        return pack(self.make(asked))

    def get(self, asked=ASKED, revision=1):
        return self.answers.get(asked, RECORD, revision)

    def settle(self):
        """Open the gate and wait until nothing is being made."""
        self.gate.set()
        for thread in threading.enumerate():
            if getattr(thread, "_target", None) == self.answers._run_aside:
                thread.join(300)


def test_many_askers_share_one_computation(monkeypatch):
    """Eight at once, and one later, get the bytes of one; another revision is computed anew."""
    works = Works(monkeypatch)
    works.gate.clear()
    with ThreadPoolExecutor(8) as pool:
        waiting = [pool.submit(works.get) for _ in range(8)]
        while not works.made:
            pass
        works.gate.set()
        bodies = {each.result(300).body for each in waiting}

    assert ({b"answer 1"}, b"answer 1") == (bodies, works.get().body)
    assert b"answer 2" == works.get(revision=2).body
    assert 2 == len(works.made)


def test_what_fails_fails_for_all_and_is_tried_again(monkeypatch):
    """An error is nobody's answer."""
    works = Works(monkeypatch)
    monkeypatch.setitem(module.MAKERS, "kind", lambda *_: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        works.get()
    monkeypatch.setitem(module.MAKERS, "kind", lambda *_: b"well")

    assert b"well" == works.get().body


def test_a_dear_answer_is_made_once_a_minute_and_says_of_when_it_is(monkeypatch):
    """Within the minute another revision gives the older one; after it, too, while it is made."""
    works = Works(monkeypatch, dear=True)
    first = works.get()
    works.seconds = FRESH_SECONDS - 1
    within = works.get(revision=2)
    works.gate.clear()
    works.seconds = FRESH_SECONDS
    meanwhile = works.get(revision=2)
    works.settle()

    assert first.as_of is not None
    assert (first, first) == (within, meanwhile)
    assert b"answer 2" == works.get(revision=2).body
    assert 2 == len(works.made)
    assert works.made[0].as_of == first.as_of.strftime("%Y-%m-%dT%H:%MZ")


def test_where_no_thread_can_be_had_the_next_to_ask_has_it_made(monkeypatch):
    """Whoever asked is told to come again, or gets the older answer; nothing stays taken."""
    works = Works(monkeypatch, dear=True)
    error = RuntimeError("can't start new thread")
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", mock.Mock(side_effect=error))
        with pytest.raises(Busy):
            works.get()
    first = works.get().body
    works.settle()
    works.seconds += FRESH_SECONDS
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", mock.Mock(side_effect=error))
        older = works.get(revision=2).body
    works.get(revision=2)
    works.settle()

    assert (b"answer 1", b"answer 1") == (first, older)
    assert b"answer 2" == works.get(revision=2).body


def test_only_what_is_dear_when_it_is_warm_is_made_aside(monkeypatch):
    """The first of a kind compiles templates, and is made once: it takes two that are slow."""
    cases = (([0.4, 0.01, 0.4], False), ([0.4, 0.4], True), ([0.2], False))
    for seconds, is_aside in cases:
        works = Works(monkeypatch)
        clock, costs = [0.0], iter([*seconds, *[0.01] * 9])

        def make(asked, clock=clock, costs=costs):
            clock[0] += next(costs)
            return b"page"

        works.make = make
        works.answers._aside = lambda asked: pack(b"aside")
        monkeypatch.setattr(module.time, "thread_time", lambda clock=clock: clock[0])
        works.get()
        bodies = [works.get(replace(ASKED, language=name)).body for name in ("en", "zh")]

        assert bodies == [b"page", b"aside" if is_aside else b"page"], seconds


def test_filters_keep_no_view_without_filters_from_being_made(monkeypatch):
    """Two are made at once, one of each; further ones are asked to come again."""
    monkeypatch.setattr(module, "PATIENCE_SECONDS", 0.01)
    works = Works(monkeypatch, dear=True)
    works.gate.clear()
    some = [replace(ASKED, query=(("confidence", str(place)),)) for place in range(3)]
    for asked in (*some, ASKED, replace(ASKED, survey_id="another")):
        with pytest.raises(NotReady):
            works.get(asked)
    works.settle()
    made = [replace(asked, as_of=None) for asked in works.made]
    assert sorted([some[0], ASKED], key=repr) == sorted(made, key=repr)

    assert works.get(some[0]).body
    assert works.get().body


def test_what_is_too_dear_is_not_tried_for_every_asker(monkeypatch):
    """The refusal is kept for a minute, like an answer."""
    works = Works(monkeypatch, dear=True)
    tried = []

    def fail(asked):
        tried.append(asked)
        raise Refused("too much", "too-dear")

    works.answers._aside = fail
    for _ in range(3):
        with pytest.raises(Refused, match="too much"):
            works.get()

    assert 1 == len(tried)


def test_readers_take_no_more_than_their_threads(monkeypatch):
    """Whoever comes when they are taken is asked to come again, and waits for nothing."""
    works = Works(monkeypatch, waiting=2)
    works.gate.clear()
    with ThreadPoolExecutor(2) as pool:
        waiting = [pool.submit(works.get, replace(ASKED, language=name)) for name in ("a", "b")]
        while len(works.made) < 2:
            pass
        with pytest.raises(Busy):
            works.get()
        works.gate.set()
        assert all(each.result(300).body for each in waiting)


def test_what_is_kept_is_bounded_in_bytes(monkeypatch):
    """The one that was asked for the longest ago is forgotten."""
    works = Works(monkeypatch, most_bytes=20)
    a, b, c = (replace(ASKED, language=name) for name in "abc")
    for asked in (a, b, a, c, a):
        works.get(asked)
    assert [a, b, c] == works.made
    works.get(b)

    assert [a, b, c, b] == works.made


def test_what_is_made_aside_is_what_would_be_made_here(client, app, services, key, reported):
    """The same JSON and the same page, but for the moment that they name."""
    path = "/v1/surveys/habits-7/results?where.region=north"
    here = client.get(path, headers=key).json
    record = services.store.survey("habits-7")
    asked = Asked("json", "habits-7", (("where.region", "north"),), as_of="2026-03-14T09:30Z")
    page = Asked("survey-page", "habits-7", (), "zh-Hans", "/surveys/habits-7?", asked.as_of)

    assert here | {"as_of": asked.as_of} == json.loads(unpack(services.answers._aside(asked)))
    with app.test_request_context(page.address):
        assert module.MAKERS["survey-page"](page, record) == unpack(services.answers._aside(page))


def test_a_process_aside_says_why_it_makes_nothing(services, reported, caplog):
    """A survey that is gone is unknown, which is no mistake of ours: nothing is logged."""
    with pytest.raises(Refused) as refused:
        services.answers._aside(Asked("json", "unknown", (("where.region", "north"),)))

    assert ("survey-unknown", []) == (refused.value.code, caplog.messages)


#: How a process aside ends: what its maker does, the code of the refusal, and what is logged. One
#: that explains nothing is any process: a shell starts in a hundredth of the time.
_ENDS = (
    ("bytes(3 << 30)", "too-dear", None),
    ("b'1' * (program.MOST_ANSWER_BYTES + 1)", "too-dear", None),
    ("resource.setrlimit(resource.RLIMIT_CPU, (1, 1)) or list(iter(int, 1))", "too-dear", None),
    ("int('a true answer')", "internal", "ValueError in <lambda>:1"),
    ("$ kill -SEGV $$", "internal", "its process ended with -11"),
    ("$ echo a true answer >&2; exit 1", "internal", "ended with 1"),
)


def test_a_crash_aside_is_told_apart_from_a_limit(
    services, survey, reported, caplog, monkeypatch, tmp_path
):
    """Memory, time and length are too much to ask for; all else is our mistake, and noted as one.

    The log has a type and a place, and nothing of what was read.
    """
    python, program = sys.executable, tmp_path / "program"
    monkeypatch.setattr("tossup.server.web.aside.sys.executable", str(program))
    for does, code, logged in _ENDS:
        caplog.clear()
        source = (
            "import resource, sys; import tossup.server.web.serving.aside as program;"
            f" program.MAKERS['json'] = lambda *_: {does}; sys.exit(program.main())"
        )
        line = f"cat > /dev/null; {does[2:]}" if does[0] == "$" else f'exec {python} -c "{source}"'
        program.write_text(f"#!/bin/sh\nulimit -c 0\n{line}\n")
        program.chmod(0o700)
        with pytest.raises(Refused) as refused:
            services.answers._aside(Asked("json", survey.id, (("where.region", "north"),)))

        assert code == refused.value.code, does
        assert (logged is None) == (not caplog.messages), (does, caplog.text)
        assert logged is None or logged in caplog.messages[0], (does, caplog.text)
        said = caplog.text + str(refused.value)
        assert not [word for word in ("a true answer", "north") if word in said], does


def test_a_mistake_aside_is_said_to_be_one(client, key, reported, services, monkeypatch):
    """The page asks nobody to ask for less, and the JSON has the code of a mistake."""
    monkeypatch.setattr(module, "is_dear", lambda *_: True)

    def fail(_):
        raise Refused("it was noted", "internal")

    monkeypatch.setattr(services.answers, "_aside", fail)
    page = client.get("/surveys/habits-7", headers=key)
    document = client.get("/v1/surveys/habits-7/results", headers=key)

    assert (500, 500) == (page.status_code, document.status_code)
    assert "The server made a mistake" in page.text
    assert "less" not in page.text
    assert document.json["type"].endswith(":internal")


def test_what_will_pass_is_tried_again_aside(monkeypatch):
    """A database that is away is asked anew by the next who comes; a refusal for good is kept."""
    works = Works(monkeypatch, dear=True)
    for code, tries in (("storage", 3), ("busy", 3), ("too-dear", 1), ("internal", 1)):
        tried = []

        def fail(asked, code=code, tried=tried):
            tried.append(asked)
            raise Refused("not now", code)

        works.answers._aside = fail
        for _ in range(3):
            with pytest.raises(Refused, match="not now"):
                works.get(replace(ASKED, language=code))
            works.settle()

        assert tries == len(tried), code


def test_whoever_comes_too_early_is_told_when_to_come_again(monkeypatch):
    """As long as the last one took, less what is over; as long again where nothing is known."""
    monkeypatch.setattr(module, "PATIENCE_SECONDS", 0.01)
    works = Works(monkeypatch, dear=True)

    def asked(seconds, revision, query=()):
        works.seconds = seconds
        with pytest.raises(NotReady) as refused:
            works.get(replace(ASKED, query=query), revision)
        assert f"in {refused.value.seconds} seconds" in str(refused.value)
        return refused.value.seconds

    works.gate.clear()
    assert [5, 5, 12, 60] == [asked(seconds, 1) for seconds in (0, 3, 11.5, 70)]
    works.seconds = 40
    works.settle()
    works.gate.clear()
    by_day, by_region = (("by", "day"),), (("by", "region"),)
    assert [40, 25, 5] == [asked(seconds, 1, by_day) for seconds in (100, 115, 139)]
    assert 5 + 40 == asked(135, 1, by_region)
    works.settle()


def test_a_large_survey_is_made_aside(client, key, reported, services, monkeypatch):
    """Over HTTP: first with the request to come again, then with its moment, ETag and cache."""
    monkeypatch.setattr(module, "is_dear", lambda *_: True)
    gate = threading.Event()
    monkeypatch.setattr(module, "PATIENCE_SECONDS", 0.01)
    made = pack(b'{"as_of": 1}')
    monkeypatch.setattr(services.answers, "_aside", lambda asked: gate.wait(300) and made)
    path, day = "/v1/surveys/habits-7/results", today()
    first = client.get(path, headers=key)
    gate.set()
    monkeypatch.setattr(module, "PATIENCE_SECONDS", 300)
    second = client.get(path, headers=key)

    assert (503, "5") == (first.status_code, first.headers["Retry-After"])
    assert first.json["type"].endswith(":preparing")
    assert 200 == second.status_code
    assert day <= second.last_modified.date() <= today()
    assert 304 == client.get(
        path, headers=key | {"If-None-Match": second.headers["ETag"]}
    ).status_code  # fmt: skip
    packed = client.get(path, headers=key | {"Accept-Encoding": "gzip"})
    assert (made, second.data, len(second.data)) == (
        packed.data,
        unpack(packed.data),
        int(client.head(path, headers=key).headers["Content-Length"]),
    )


def test_a_costly_answer_is_never_compressed_in_a_request(
    client, key, reported, services, monkeypatch
):
    """JSON, CSV and downloads, whatever their length."""
    monkeypatch.setattr(module, "is_dear", lambda *_: True)
    made = pack(b"made aside" * 999)
    monkeypatch.setattr(services.answers, "_aside", lambda _: made)
    monkeypatch.setattr(compression, "pack", lambda _: pytest.fail("it was compressed again"))
    paths = ("/v1/surveys/habits-7/results", "/v1/surveys/habits-7/results.csv")
    pages = ("/surveys/habits-7/results.json", "/surveys/habits-7/results.csv")
    for path in (*paths, *pages):
        answer = client.get(path, headers=key | {"Accept-Encoding": "gzip"})

        assert ("gzip", made) == (answer.headers.get("Content-Encoding"), answer.data), path


def test_what_is_worked_out_in_a_request_is_bounded():
    """A joint table of at most 1,000 reports: each may have been committed by itself."""
    for reports, is_dear in ((1000, False), (1001, True)):
        record = SimpleNamespace(reports=reports, survey=None)

        assert is_dear == module.is_dear("joint", None, record), reports
        assert is_dear == module.is_dear("joint-page", None, record), reports


def test_two_questions_are_chosen_without_a_look_at_reports(client, key, reported, monkeypatch):
    """The page with the choice is never made aside, and refuses filters that are none."""
    monkeypatch.setattr(module, "_MOST_JOINT_REPORTS", 0)

    assert 200 == client.get("/surveys/habits-7/joint", headers=key).status_code
    assert 422 == client.get("/surveys/habits-7/joint?where.moon=full", headers=key).status_code
