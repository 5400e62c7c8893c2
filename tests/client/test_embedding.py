"""docs/how-to/embed.md: every block runs, in the setting that it is about."""

import asyncio
import io
import json
import os
import re
import runpy
import subprocess
import sys
import time
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from tossup.client import Client, Outcome
from tossup.client.asking import now
from tossup.shared.signing import b64url

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "how-to" / "embed.md").read_text()
BLOCKS = dict(re.findall(r"```python\n# (\w+\.py)\n(.*?)```", PAGE, re.DOTALL))
ANSWERS = {"ever_tried": True, "region": "north"}
CODES = [f"{number:032x}" for number in range(16)]


@pytest.fixture
def place(tmp_path, stub, survey, monkeypatch):
    """The folder of the page's files, importable, and a server that knows the survey."""
    for name, block in BLOCKS.items():
        (tmp_path / name).write_text(block)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("SURVEY_LINK", f"{stub.link(survey)}#key={b64url(survey.publisher.key)}")
    monkeypatch.setenv("SURVEY_STORES", str(tmp_path / "stores"))
    yield tmp_path
    for name in BLOCKS:
        sys.modules.pop(name.removesuffix(".py"), None)


def gets(stub) -> int:
    return sum(method == "GET" for method, *_ in stub.requests)


def called(app, respondent: str, shown: str) -> str:
    form = {"respondent": respondent, "answers": ANSWERS, "shown": shown}
    body = json.dumps(form).encode()
    environ = {"wsgi.input": io.BytesIO(body), "CONTENT_LENGTH": str(len(body))}
    (answer,) = app(environ, lambda status, headers: None)
    return answer.decode()


def test_the_page_has_no_block_that_is_not_run_here():
    """Every Python block is a file, and each is named below."""
    used = Path(__file__).read_text()

    assert PAGE.count("```python") == len(BLOCKS)
    assert [name for name in BLOCKS if name.removesuffix(".py") not in used] == []


def test_workers_forked_from_a_preloaded_app_answer_by_one_manifest(place, stub):
    """As gunicorn --preload does: imported in the master, then forked; nothing stays open."""
    import survey as shared
    from app import app

    shown = shared.client_of(CODES[0]).preview().manifest
    stub.settle()
    before = len(os.listdir("/proc/self/fd"))
    children = []
    for code in CODES[:4]:
        child = os.fork()
        if child == 0:
            os._exit(0 if called(app, code, shown) == "queued" else 1)
        children.append(child)

    assert [os.waitpid(child, 0)[1] for child in children] == [0] * 4
    assert called(app, CODES[0], shown) == "already-answered"
    assert called(app, CODES[5], "0" * 64) == "preview-again"
    stub.settle()
    assert len(os.listdir("/proc/self/fd")) == before
    runpy.run_path(str(place / "send.py"))
    assert (gets(stub), len(stub.reports)) == (1, 4)


def test_tasks_of_asyncio_answer_side_by_side(place, stub):
    """Each in a thread, all by one manifest."""
    import served

    async def all_of_them():
        return await asyncio.gather(*(served.answer(code, ANSWERS) for code in CODES))

    assert asyncio.run(all_of_them()) == [(Outcome.QUEUED, 0)] * len(CODES)
    assert (gets(stub), len(stub.reports)) == (1, len(CODES))


def test_a_task_says_when_to_come_back(place, stub, monkeypatch):
    """Sent once, however often the queue runs it; after a failure it names the wait."""
    monkeypatch.setattr(now, "clock", lambda: 2 * 10**9)
    import survey as shared
    import tasks

    shared.client_of(CODES[0]).answer(ANSWERS)
    stub.script = [(503, {"Retry-After": "7"}, b"")]

    assert 7 <= tasks.send(CODES[0]) <= 14
    assert len(stub.reports) == 0
    shared.client_of(CODES[0]).flush(force=True)
    assert (tasks.send(CODES[0]), tasks.send(CODES[0]), len(stub.reports)) == (None, None, 1)


def test_people_at_a_kiosk_do_not_share_a_store(place):
    """The second one is not told that they have answered; who comes back is."""
    import kiosk
    import survey as shared

    people = [kiosk.new_person() for _ in range(3)]

    assert [client.answer(ANSWERS) for _, client in people] == [Outcome.QUEUED] * 3
    assert shared.client_of(people[0][0]).answer(ANSWERS) is Outcome.ALREADY_ANSWERED
    with pytest.raises(ValueError, match="32 hex digits"):
        shared.client_of("../../etc")


def bare(**more: str) -> dict[str, str]:
    """Return the environment of a device with one folder that can be written."""
    room = os.pathsep.join(str(ROOT / folder) for folder in ("client", "shared"))
    away = {"HOME": "/nonexistent", "TMPDIR": "/nonexistent", "PYTHONDONTWRITEBYTECODE": "1"}
    return {"PYTHONPATH": room, **away, **more}


def test_a_device_writes_in_one_folder_only(place, stub):
    """No home, no temporary folder, no bytecode; the timer's script sends what waits."""
    store, link = place / "state" / "answers.db", os.environ["SURVEY_LINK"]
    Client(link, store=store).answer(ANSWERS)
    before = outside(place, store.parent)
    done = subprocess.run(
        [sys.executable, place / "device.py"],
        env=bare(SURVEY_LINK=link, SURVEY_STORE=str(store)),
        cwd="/",
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")
    assert outside(place, store.parent) == before
    names = {path.name for path in store.parent.iterdir()}
    assert names <= {f"answers.db{end}" for end in ("", ".mark", ".lock", "-journal")} | MARKERS
    assert len(stub.reports) == 1


#: What a store's folder may hold besides, to say that it is not to be backed up.
MARKERS = {"CACHEDIR.TAG", ".nobackup"}


def outside(place: Path, folder: Path) -> set[Path]:
    return {path for path in place.rglob("*") if folder not in {path, *path.parents}}


def test_a_clock_at_1970_loses_nothing(place, stub, survey, publisher_key, monkeypatch):
    """Answered and stored then, sent years later; a survey with days waits for the clock."""
    stub.publish(replace(survey, id="dated", closes=date(2999, 1, 1)), publisher_key)
    link = os.environ["SURVEY_LINK"]
    dated = Client(link.replace("habits-7", "dated"), store=place / "dated.db")
    client = Client(link, store=place / "device.db")
    monkeypatch.setattr(now, "clock", lambda: 60)

    assert (client.answer(ANSWERS), dated.answer(ANSWERS)) == (Outcome.QUEUED, Outcome.NOT_OPEN)
    stub.script = [(503, {}, b"")]
    assert client.flush().pending == 1
    seconds = time.time_ns() // 10**9
    monkeypatch.setattr(now, "clock", lambda: seconds)
    assert client.flush().sent == 1
    assert dated.answer(ANSWERS) is Outcome.QUEUED


def test_weeks_offline_are_only_a_wait(place, stub):
    """The manifest was fetched before; everything is sent on return, once."""
    client = Client(os.environ["SURVEY_LINK"], store=place / "device.db")
    client.survey()
    stub.script = [(0, {}, b"")] * 6

    assert client.answer(ANSWERS) is Outcome.QUEUED
    assert [client.flush(force=True).reason for _ in range(3)] == ["offline"] * 3
    stub.script = []
    assert client.flush(force=True).sent == 1


def test_one_file_is_the_whole_app_but_for_cryptography(place, stub):
    """The page's shell block; pip installs this tree in the place of the name."""
    (shell,) = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)
    pip = "python3 -m pip install --quiet --no-deps --target kiosk tossup\n"
    folder = place / "build"
    assert pip in shell
    (folder / "kiosk" / "tossup").mkdir(parents=True)
    for room in ("client", "shared"):
        os.symlink(ROOT / room / "tossup" / room, folder / "kiosk" / "tossup" / room)
    script = shell.replace(pip, "").replace("python3", sys.executable)
    subprocess.run(["bash", "-euc", script], cwd=folder, check=True)
    store = place / "state" / "answers.db"
    command = [sys.executable, folder / "kiosk.pyz", os.environ["SURVEY_LINK"], store, "no"]
    done = subprocess.run(
        command, env=bare(PYTHONPATH=""), cwd="/", capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("queued\n")
    assert len(stub.reports) == 1
