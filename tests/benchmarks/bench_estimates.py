"""Estimates: the same work for a million reports as for a thousand."""

import os
import time
from contextlib import closing
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from bench_device import KEY, survey_of
from bench_figures import Figure, interleave, ratio_of

from tossup.server.ingest.core import Ingest
from tossup.server.ingest.writer import Writer
from tossup.server.results import results, results_to_json
from tossup.server.store import SQLiteStore, Store
from tossup.server.surveys.lifecycle import publish
from tossup.shared import wire
from tossup.shared.signing import sign_manifest

PER_BATCH = 10_000


def estimating() -> Figure:
    """Compare reading the tally and estimating with 1e6 and with 1e3 stored reports."""
    with TemporaryDirectory() as folder, closing(_filled(Path(folder))) as store:
        many, few = interleave(
            lambda: _seconds(store, "many"), lambda: _seconds(store, "few"), rounds=31
        )
    note = f"{median(many) * 1e3:.2f} ms and {median(few) * 1e3:.2f} ms, tally to JSON"
    name = "estimate at 1e6 reports / at 1e3"
    return ratio_of(name, (many, few), better="lower", gate=1.5, goal=1, note=note)


def _filled(folder: Path) -> Store:
    store = SQLiteStore(folder / "bench.sqlite3")
    writer = Writer(store)
    ingest = Ingest(store, writer)
    _fill(store, ingest, "many", batches=100, size=PER_BATCH)
    _fill(store, ingest, "few", batches=100, size=10)
    writer.stop()
    return store


def _fill(store: Store, ingest: Ingest, name: str, *, batches: int, size: int) -> None:
    survey = survey_of(name, 1)
    publish(store, sign_manifest(survey.payload, KEY))
    for _ in range(batches):
        ids = tuple(os.urandom(16) for _ in range(size))
        bits = tuple(byte & 1 for byte in os.urandom(size))
        body = wire.encode_batch(wire.Batch(survey.digest, ids, {"q0": bits}, {}), survey)
        ingest.receive(body)


def _seconds(store: Store, name: str) -> float:
    start = time.perf_counter()
    for _ in range(10):
        results_to_json(results(store.survey(name), store.tally(name)))
    return (time.perf_counter() - start) / 10
