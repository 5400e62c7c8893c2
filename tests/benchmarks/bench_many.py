"""Many respondents: what one costs an app that embeds the SDK, and a real server's rehearsal."""

import resource
import subprocess
import sys
import time
from contextlib import closing
from itertools import count
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from bench_device import KEY, seconds, sqlite, survey_of
from bench_figures import Figure, interleave

from tossup.client import Client
from tossup.client.testing import MemoryServer
from tossup.server.demo.process import running_server
from tossup.server.store import SQLiteStore
from tossup.server.surveys.lifecycle import publish
from tossup.shared.signing import public_bytes, sign_manifest
from tossup.shared.survey import Survey

PROCESSES = 2
#: A part of the 2,000 respondents is measured, and taken that many times.
RESPONDENTS, PART = 2000, 10
QUESTIONS = 5


def respondents() -> list[Figure]:
    """Compare a respondent of a site with a durable commit; and a rehearsal with its 60 s."""
    return [*_of_a_site(), *_rehearsed()]


def _of_a_site() -> list[Figure]:
    """One store each, one manifest for all, one question: answered and sent, to no network."""
    survey = survey_of("site", 1)
    envelope = sign_manifest(survey.payload, KEY)
    numbers = count()
    with TemporaryDirectory() as folder, closing(sqlite(Path(folder) / "plain.db")) as plain:
        server = MemoryServer(envelope)
        respond = lambda: _respond(  # noqa: E731 - timed below, as it stands
            survey, Path(folder) / f"{next(numbers)}.db", transport=server, manifest=envelope
        )
        respond()
        ours, theirs = interleave(
            lambda: seconds(respond),
            lambda: seconds(lambda: plain.execute("INSERT INTO t VALUES (randomblob(40))")),
            rounds=200,
        )
    site, commit = median(ours), median(theirs)
    note = (
        f"answer() and flush() with a new store p50 {site * 1e3:.1f} ms, of three commits, each"
        f" with the store opened and folded; one commit on an open connection {commit * 1e3:.2f} ms"
    )
    ratio = site / commit
    return [
        Figure("a respondent of a site / fsynced commit p50", ratio, ratio, ratio,
               "lower", 60, 30, note),
        Figure("a respondent of a site / 10 ms", site * 100, site * 100, site * 100,
               "lower", 3, 1),
    ]  # fmt: skip


def _rehearsed() -> list[Figure]:
    """Answer and send over HTTP, to a real server, from two processes: every store is new.

    What that takes of the processors, server and all, is told as well: other work on the machine
    changes it less. What starting takes is in it once.
    """
    _, idle = _rehearsal(0)
    measured, busy = _rehearsal(RESPONDENTS // PART // PROCESSES)
    took, spent = measured * PART, idle + (busy - idle) * PART
    note = (
        f"{took:.0f} s for {RESPONDENTS} x {QUESTIONS} answers by {PROCESSES} processes beside"
        f" their server, taken as {PART} times a {PART}th; {spent:.0f} s of processors, of which"
        " 120 are there in 60 s"
    )
    ratio, share = took / 60, spent / 120
    return [
        Figure("2,000 x 5 answers over HTTP / 60 s", ratio, ratio, ratio, "lower", 2, 1, note),
        Figure("2,000 x 5 answers over HTTP, processors / 120 s", share, share, share,
               "lower", 1, 0.5),
    ]  # fmt: skip


def _rehearsal(each: int) -> tuple[float, float]:
    """Return how long this many respondents in each process take, and of the processors."""
    survey = survey_of("rehearsal", QUESTIONS)
    before = _processors()
    with TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        data.mkdir(mode=0o700)
        with closing(SQLiteStore(data / "tossup.sqlite3")) as store:
            publish(store, sign_manifest(survey.payload, KEY))
        with running_server(data) as server:
            start = time.perf_counter()
            arguments = [[server.url, f"{folder}/{n}", str(each)] for n in range(PROCESSES)]
            running = [subprocess.Popen([sys.executable, __file__, *given]) for given in arguments]
            if any(process.wait() for process in running):
                raise RuntimeError("a process of respondents failed; see its message above")
            took = time.perf_counter() - start
    return took, _processors() - before


def _processors() -> float:
    """Return the seconds of processors that ended children of this process have taken."""
    taken = resource.getrusage(resource.RUSAGE_CHILDREN)
    return taken.ru_utime + taken.ru_stime


def _respond(survey: Survey, store: Path, url: str = "https://example.org", **settings) -> None:
    client = Client(
        f"{url}/v1/surveys/{survey.id}", public_bytes(KEY), store=store, strict=True, **settings
    )
    client.answer({question.id: True for question in survey.questions})
    sent = client.flush()
    if sent.sent != len(survey.questions):
        raise RuntimeError(f"not everything was sent: {sent.explanation}")


def main(url: str, folder: str, number: str) -> None:
    """Be this many respondents, one after the other, as the ordinary SDK serves them."""
    survey = survey_of("rehearsal", QUESTIONS)
    for respondent in range(int(number)):
        _respond(survey, Path(folder) / f"{respondent}.db", url)


if __name__ == "__main__":
    main(*sys.argv[1:])
