"""The engines that Debian packages: each answers, is killed, and sends what it had tossed.

They are started like a person starts them, with an address; the page itself tells what it saw.
"""

import json
import os
import shutil
import signal
import subprocess
import time
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from browsing import CHROMIUM, FLAGS, PATIENCE

pytestmark = pytest.mark.prove

#: WebKit's own small browser, which Debian's package puts aside.
MINI = Path("/usr/lib").glob("*/webkit2gtk-4.1/MiniBrowser")
ENGINES = {
    "chromium": [str(CHROMIUM), *FLAGS, "--headless=new", "--user-data-dir={profile}"],
    "firefox-esr": ["firefox-esr", "--headless", "--no-remote", "--profile", "{profile}"],
    "webkit2gtk-driver": ["xvfb-run", "-a", str(next(MINI, "MiniBrowser"))],
}

#: Answers both ways, and tells what came of it and what is kept; sends it where it is told to.
PROGRAM = """
import { Client } from "/sdk/index.js";
const client = new Client(LINK);
const survey = await client.survey();
const said = await Promise.all([true, false].map((ever_tried) => client.answer({ ever_tried })));
const sent = SENDING ? await client.flush({ force: true }) : null;
const { problem, trouble, remembers, answeredTopics } = await client.status();
const told = { digest: survey?.digest, said, sent, problem, trouble, remembers, answeredTopics };
await fetch("/told", { method: "POST", body: JSON.stringify(told) });
"""


@pytest.mark.parametrize("engine", ENGINES)
def test_an_engine_tosses_once_and_sends_after_it_was_killed(
    site, publish, survey, tmp_path, engine
):
    """Verified, tossed, killed with all its processes, started anew, sent once."""
    programs = [part for part in ENGINES[engine] if part[0] not in "-{"]
    if not all(map(shutil.which, programs)):
        pytest.skip(f"needs {' and '.join(programs)}: apt-get install {engine} xvfb")
    one = replace(survey, id=engine, questions=survey.questions[:1], attributes=())
    link = publish(one)

    first = told_by(site, engine, tmp_path, link, sending=False)
    second = told_by(site, engine, tmp_path, link, sending=True)

    assert (first["digest"], first["trouble"]) == (one.digest, None), first
    assert sorted(first["said"]) == ["already-answered", "queued"], first
    assert second["said"] == ["already-answered"] * 2, second
    assert second["sent"]["sent"] == 1, second
    assert second["answeredTopics"] == ["habit"]
    assert len(site.bodies()) == 1


def told_by(site, engine, profile, link, *, sending):
    """Return what a page told in an engine with this profile, which is killed then."""
    settings = f"LINK = {json.dumps(link)}; SENDING = {json.dumps(sending)}"
    script = f'<script>{settings}</script><script type="module">{PROGRAM}</script>'
    site.content, before = script.encode(), len(site.told)
    with running(profile, [part.format(profile=profile) for part in ENGINES[engine]], site.host):
        for _ in range(PATIENCE // 100):
            if len(site.told) > before:
                return site.told[-1]
            time.sleep(0.1)
    pytest.fail(f"{engine} told nothing")


@contextmanager
def running(profile, command, address):
    process = subprocess.Popen(
        [*command, address],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        # WebKit keeps what it stores below the home folder, and wants no root in its sandbox.
        env={**os.environ, "HOME": str(profile), "XDG_DATA_HOME": str(profile)}
        | {"WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1"},
    )
    try:
        yield
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
