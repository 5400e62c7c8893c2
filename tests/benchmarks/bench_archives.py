"""Archives: counting sealed files on this machine, beside the engines that are installed."""

import time
from collections.abc import Callable
from datetime import date
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import numpy as np
from bench_device import KEY
from bench_figures import Figure, interleave, ratio_of

from tossup.server.archives.engines import ENGINES
from tossup.server.archives.files import ROWS, FileWriter, to_batch
from tossup.server.archives.footer import Footer, to_metadata
from tossup.server.ingest.packing import Reports
from tossup.server.kernels import kernel_of
from tossup.server.surveys.file import load_survey
from tossup.shared.signing import public_bytes, sign_manifest
from tossup.shared.survey import Survey

FILES = 16
DAY = date(2026, 3, 14)
#: An engine that was not installed is not measured; its module stands beside its name.
PEERS = {"duckdb": "duckdb", "spark": "pyspark", "ray": "ray"}

_FILE = """
id = "bench"
title = "Bench"
purpose = "To measure."
question_cap = 81
[publisher]
name = "Bench"
contact = "bench@example.org"
[[question]]
id = "asked"
text = "What?"
"""
#: Kind: lines of the survey file, and reports a file.
_KINDS = {
    "yes/no": ("", 4 * ROWS),
    "16 options": (f"answers = {[f'option {n}' for n in range(16)]}", 2 * ROWS),
    "masks of 64": (
        f'answers = {[f"option {n}" for n in range(64)]}\nmechanism = "optimized-unary"',
        ROWS // 4,
    ),
}


def archives() -> list[Figure]:
    """Compare threads of this process with the fastest other engine, kind by kind."""
    peers = [name for name, module in PEERS.items() if find_spec(module)]
    return [_of(kind, *said, peers) for kind, said in _KINDS.items()]


def _of(kind: str, lines: str, reports: int, peers: list[str]) -> Figure:
    survey = load_survey(_FILE + lines, public_bytes(KEY))
    with TemporaryDirectory() as folder:
        urls = [_sealed(survey, Path(folder) / f"{n}.parquet", n, reports) for n in range(FILES)]
        seconds = {name: _timed(name, urls) for name in ("local", *peers)}
        for measure in seconds.values():
            measure()  # what starts once is not counted: clusters take seconds
        trials = {name: interleave(seconds["local"], seconds[name], rounds=7) for name in peers}
    fastest = min(trials, key=lambda name: median(trials[name][1]))
    ours, theirs = trials[fastest]
    rates = (FILES * reports / 1e6 / median(values) for values in (ours, theirs))
    note = "{:.0f} million reports a second; {:.0f} by {}, of {}".format(
        *rates, fastest, ", ".join(peers)
    )
    name = f"counting an archive, {kind} / fastest engine"
    # The rate of ours over theirs is their time over ours.
    return ratio_of(name, (theirs, ours), better="higher", gate=0.8, goal=1, note=note)


def _timed(engine: str, urls: list[str]) -> Callable[[], float]:
    def measure() -> float:
        start = time.perf_counter()
        found = ENGINES[engine](urls, None)
        took = time.perf_counter() - start
        assert all(tally.counted == tally.footer.n for tally in found)
        return took

    return measure


def _sealed(survey: Survey, path: Path, part: int, reports: int) -> str:
    """Write a file of simulated reports."""
    (question,) = survey.questions
    options = range(max(2, len(question.options)))
    writer = FileWriter(str(path), survey, question.id)
    for start in range(0, reports, ROWS):
        n = min(ROWS, reports - start)
        column = kernel_of(question.mechanism).perturb_each(options, np.arange(n) % len(options))
        ids, none = np.zeros((n, 16), dtype=np.uint8), np.zeros((0, n), dtype=np.uint8)
        writer.add(to_batch(Reports(survey, question.id, DAY, ids, (column,), none)))
    counted = writer.total.counted()
    footer = Footer(survey, question.id, DAY, part, reports, reports * FILES, DAY, counted)
    writer.finish(to_metadata(footer, sign_manifest(survey.payload, KEY), KEY))
    writer.publish()
    return str(path)
