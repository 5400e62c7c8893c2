"""A simulated year: many reports into one survey, spread over 365 days, through the ingest core.

Run by ``make year``. A process makes batches of 10,000 as devices send them; another decodes and
commits them as the server does it. Then ``tossup serve`` is started on the data, and asked.
Prints a line for each tenth and each figure at the end. Exits with 1 if a report was lost or
counted twice.
"""

import argparse
import json
import math
import multiprocessing
import os
import resource
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing, contextmanager
from datetime import date, timedelta
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import numpy as np
from bench_device import KEY, survey_of
from server_process import post

from tossup.server.cli.api import Server
from tossup.server.config import Config
from tossup.server.ingest.core import Ingest
from tossup.server.ingest.recount import recount
from tossup.server.ingest.writer import Ticket, Writer
from tossup.server.store import SQLiteStore
from tossup.server.surveys.lifecycle import publish
from tossup.shared import wire
from tossup.shared.signing import sign_manifest

BATCH = 10_000
WAITING = 8
DAYS = 365
SURVEY = survey_of("year", 1)


def send_bodies(to: Connection, batches: int) -> None:
    """Send bodies of new reports with random ids and answers, and then how many said yes.

    It runs in a process of its own, so that memory and time of the other one are the server's.
    """
    rng = np.random.default_rng(14)
    before, between, after = _around_columns()
    yes = 0
    for _ in range(batches):
        bits = rng.bytes(BATCH // 8)
        yes += int.from_bytes(bits).bit_count()
        ids = wire.b64(os.urandom(wire.ID_BYTES * BATCH)).encode()
        to.send_bytes(before + ids + between + wire.b64(bits).encode() + after)
    to.send(yes)


def _around_columns() -> tuple[bytes, bytes, bytes]:
    """Return what stands before, between and after the ids and the answers of a body."""
    ids = tuple(os.urandom(wire.ID_BYTES) for _ in range(BATCH))
    body = wire.encode_batch(wire.Batch(SURVEY.digest, ids, {"q0": (0,) * BATCH}, {}), SURVEY)
    before, rest = body.split(wire.b64(b"".join(ids)).encode())
    between, after = rest.split(wire.b64(bytes(BATCH // 8)).encode())
    return before, between, after


@contextmanager
def reports(batches: int) -> Iterator[Connection]:
    """Run the process that makes reports; yield where its bodies arrive."""
    receiving, sending = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.Process(target=send_bodies, args=(sending, batches), daemon=True)
    process.start()
    sending.close()
    try:
        yield receiving
    finally:
        process.terminate()
        process.join()


def collect(config: Config, total: int) -> int:
    """Store the reports of a year, a day after the other; return how many of them were yes."""
    first = date(2026, 1, 1)
    today = [first]
    batches = total // BATCH
    with (
        reports(batches) as bodies,
        closing(SQLiteStore(config.database, day=lambda: today[0])) as store,
    ):
        publish(store, sign_manifest(SURVEY.payload, KEY))
        writer = Writer(store, max_reports=config.max_reports)
        ingest = Ingest(store, writer)
        waiting: deque[Ticket] = deque()
        began = since = time.perf_counter()
        for number in range(batches):
            today[0] = first + timedelta(days=number * DAYS // batches)
            waiting.append(writer.submit(ingest.reports(bodies.recv_bytes())))
            while len(waiting) >= WAITING:
                assert waiting.popleft().result(600) == BATCH
            if (number + 1) % (batches // 10) == 0:
                now = time.perf_counter()
                rate = batches // 10 * BATCH / (now - since)
                done = (number + 1) * BATCH
                say(
                    f"{done:>11,} stored in {now - began:.0f} s, the last tenth at {rate:,.0f} a"
                    f" second; {most_mb(os.getpid()):,} MB at most, {disk_mb(config):,} MB on disk"
                )
                since = now
        for ticket in waiting:
            assert ticket.result(600) == BATCH
        yes: int = bodies.recv()
        writer.stop()
        store.scrub()
    return yes


@contextmanager
def served(config: Config):
    """Run ``tossup serve`` on the data; yield its address, its API key, and its process."""
    command = [str(Path(sys.executable).with_name("tossup")), "serve", "--json", "--port", "0"]
    given = {"TOSSUP_DATA": str(config.data), "TOSSUP_MAX_REPORTS": str(config.max_reports)}
    with subprocess.Popen(command, env=os.environ | given, stdout=subprocess.PIPE) as process:
        try:
            said = json.loads(process.stdout.readline())
            yield said["url"], said["api_key"], process.pid
        finally:
            process.terminate()


def ask(config: Config) -> None:
    """Start a server; say how soon it answers, takes a report, and shows the results."""
    began = time.perf_counter()
    with served(config) as (url, key, process):
        say(f"listening after {time.perf_counter() - began:.1f} s, {resident_mb(process):,} MB")
        first, *more = [results_seconds(url, key) for _ in range(6)]
        say(f"results after {first:.2f} s, then {median(more) * 1e3:.1f} ms")
        again = time.perf_counter()
        refused = 0
        while not acknowledged(url):
            refused += 1
            time.sleep(0.1)
        took = time.perf_counter() - again
        say(f"the first report acknowledged after {took:.1f} s and {refused} refusals")
        say(f"then {single_ms(url):.1f} ms a report, while ids may still be sorted")
        since = time.perf_counter()
        wait_for_rest(process)
        say(f"at rest within {time.perf_counter() - since:.0f} s")
        memory = f"{resident_mb(process):,} MB, {most_mb(process):,} at most"
        say(f"{single_ms(url):.1f} ms a report once the server is at rest; {memory}")
        anew = [results_seconds(url, key) for _ in range(6) if acknowledged(url)]
        say(f"results after one more report in {median(anew) * 1e3:.0f} ms")


def results_seconds(url: str, key: str) -> float:
    return timed(lambda: Server(url, key).get("/v1/surveys/year/results"))


def acknowledged(url: str) -> bool:
    batch = wire.Batch(SURVEY.digest, (os.urandom(wire.ID_BYTES),), {"q0": (0,)}, {})
    try:
        return post(url, "/v1/reports", wire.encode_batch(batch, SURVEY), 1) is not None
    except TimeoutError:
        return False


def single_ms(url: str) -> float:
    """Return the median of 200 reports that come one by one, in milliseconds."""
    return median(timed(lambda: acknowledged(url)) for _ in range(200)) * 1e3


def wait_for_rest(process: int) -> None:
    """Wait until a process takes less than a twentieth of a processor for a second."""
    before = -math.inf
    while (now := cpu_seconds(process)) - before > 0.05:
        before = now
        time.sleep(1)


def agrees(config: Config, total: int, yes: int) -> bool:
    """Count all stored reports again; return whether each of the year is there once.

    It runs in a process of its own, so that its memory is told apart.
    """
    with closing(SQLiteStore(config.database)) as store:
        began = time.perf_counter()
        counted = recount(store, SURVEY.id)
        took = time.perf_counter() - began
        say(f"counted again in {took:.0f} s; {most_mb(os.getpid()):,} MB at most")
        cells = store.tally(SURVEY.id)
        return (
            counted.agrees
            and counted.reports == total
            and yes == sum(cell.counts[1] for cell in cells)
        )


def timed(work) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def resident_mb(process: int) -> int:
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * resource.getpagesize() >> 20


def most_mb(process: int) -> int:
    """Return the most memory that a process ever had."""
    said = Path(f"/proc/{process}/status").read_text()
    return int(said.split("VmHWM:")[1].split()[0]) >> 10


def cpu_seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def disk_mb(config: Config) -> int:
    return sum(file.stat().st_size for file in config.data.iterdir()) >> 20


def say(words: str) -> None:
    print(words, flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reports", type=float, default=1e8)
    parser.add_argument("--folder", type=Path, help="Where to put 2.5 GB, for a while.")
    given = parser.parse_args()
    total = int(given.reports) // (10 * BATCH) * 10 * BATCH
    with TemporaryDirectory(dir=given.folder) as folder:
        config = Config(data=Path(folder) / "data", max_reports=2 * total)
        yes = collect(config, total)
        with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as another:
            is_right = another.submit(agrees, config, total, yes).result()
        ask(config)
    say("every report counted once" if is_right else "LOST OR COUNTED TWICE")
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
