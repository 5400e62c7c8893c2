"""Four writers on PostgreSQL: packed groups beside rows with a unique id each, in one run.

The rows are what one would write without a second thought: ``unnest`` into a table with a unique
index, ``ON CONFLICT DO NOTHING``, and nothing counted.
"""

import os
import secrets
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from statistics import median

import psycopg
from bench_device import KEY, survey_of
from bench_figures import Figure, interleave, ratio_of
from postgres import Cluster

from tossup.server.config import Config
from tossup.server.ingest.commit import GroupCommit
from tossup.server.ingest.decoding import decode_reports, id_rows
from tossup.server.store import open_store
from tossup.server.surveys.lifecycle import publish
from tossup.shared import wire
from tossup.shared.signing import sign_manifest

ROUNDS = 5
SECONDS = 3.0
GROUP = 1000
WRITERS = 4
_ROWS = "INSERT INTO plain SELECT * FROM unnest(%b::BYTEA[], %b::INT[]) ON CONFLICT (id) DO NOTHING"


def shared() -> Figure:
    """Return reports a second of packed groups over those of rows."""
    cluster = Cluster()
    url = cluster.database()
    survey = survey_of("shared", 1)
    with closing(open_store(_config(url))) as store:
        publish(store, sign_manifest(survey.payload, KEY))
    with psycopg.connect(url) as connection:
        connection.execute("CREATE TABLE plain (id BYTEA PRIMARY KEY, value INT NOT NULL)")
    try:
        with ProcessPoolExecutor(WRITERS, get_context("spawn")) as writers:

            def rate(write: Callable[[str, int], float]) -> float:
                return sum(writers.map(write, [url] * WRITERS, range(WRITERS)))

            rate(_packed)
            measured = interleave(lambda: rate(_packed), lambda: rate(_rows), ROUNDS)
    finally:
        cluster.remove()
    ours, theirs = (median(values) for values in measured)
    note = f"{ours / 1e3:.0f}k and {theirs / 1e3:.0f}k reports/s, groups of {GROUP}, durable"
    name = f"PostgreSQL: packed groups / id rows, {WRITERS} writers"
    return ratio_of(name, measured, better="higher", gate=3, goal=10, note=note)


def _config(url: str) -> Config:
    return Config(data=Path("unused"), database_url=url)


def _packed(url: str, shard: int) -> float:
    """Return reports a second of one writer of its own shard, in a process of its own."""
    survey = survey_of("shared", 1)
    bits = tuple(byte & 1 for byte in os.urandom(GROUP))
    batch = wire.Batch(survey.digest, tuple(next(_groups())), {"q0": bits}, {})
    decoded = decode_reports(wire.encode_batch(batch, survey), lambda _: survey)
    with closing(open_store(_config(url))) as store:
        group = GroupCommit(store, shard=shard, max_reports=1_000_000_000)

        def commit(ids: list[bytes]) -> None:
            results = group.commit([replace(decoded, ids=id_rows(b"".join(ids)))])
            if results != [GROUP]:
                raise RuntimeError(f"not received: {results}")
            group.tidy()  # as the writer does

        commit(next(_groups()))
        return _rate(commit)


def _rows(url: str, _number: int) -> float:
    with psycopg.connect(url, autocommit=True) as connection:
        values = [0, 1] * (GROUP // 2)
        return _rate(lambda ids: connection.execute(_ROWS, (ids, values)))


def _rate(write: Callable[[list[bytes]], object]) -> float:
    start, groups = time.perf_counter(), _groups()
    written = 0
    while time.perf_counter() < start + SECONDS:
        write(next(groups))
        written += GROUP
    return written / (time.perf_counter() - start)


def _groups() -> Iterator[list[bytes]]:
    while True:
        blob = secrets.token_bytes(16 * GROUP)
        yield [blob[at : at + 16] for at in range(0, len(blob), 16)]


if __name__ == "__main__":
    print(shared())
