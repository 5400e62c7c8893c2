"""Engines: what shares the files of an archive among cores or machines.

Stage: after a survey. Each engine calls `files.tally_of` for every file; only tallies travel.
"""

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, Final

import pyarrow as pa

from tossup.server.archives.errors import ArchiveDamaged, ArchiveError, ExtraMissing
from tossup.server.archives.files import ROWS, FileTally, files_of, filesystem_of, tally_of

#: Returns the tallies of files, in their order.
Engine = Callable[[Sequence[str], bytes | None], list[FileTally]]


def local(urls: Sequence[str], trusted: bytes | None) -> list[FileTally]:
    """Use a thread a core: reading and counting leave the interpreter's lock."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(partial(tally_of, trusted=trusted), urls))


def duckdb(urls: Sequence[str], trusted: bytes | None) -> list[FileTally]:
    """Let DuckDB read the files, with its own threads."""
    _installed("duckdb")
    return [tally_of(url, trusted=trusted, reader=_read_by_duckdb) for url in urls]


def spark(urls: Sequence[str], trusted: bytes | None) -> list[FileTally]:
    """Share the files among the executors of Spark; it reads none itself.

    The session is the one that runs, or else a new one by Spark's own configuration.
    """
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # else another one without tossup
    session = _installed("pyspark.sql").SparkSession.builder.appName("tossup").getOrCreate()
    files = session.sparkContext.parallelize(urls, max(1, len(urls)))
    found: list[FileTally] = files.map(partial(tally_of, trusted=trusted)).collect()
    return found


def ray(urls: Sequence[str], trusted: bytes | None) -> list[FileTally]:
    """Share the files among the workers of Ray: of a cluster that runs, or of this machine."""
    cluster = _installed("ray")
    cluster.init(ignore_reinit_error=True, log_to_driver=False)
    task = cluster.remote(tally_of)
    found: list[FileTally] = cluster.get([task.remote(url, trusted=trusted) for url in urls])
    return found


ENGINES: Final[Mapping[str, Engine]] = {
    "local": local,
    "duckdb": duckdb,
    "spark": spark,
    "ray": ray,
}


def aggregate(
    patterns: Iterable[str], engine: str = "local", *, trusted: bytes | None = None
) -> list[FileTally]:
    """Return the tally of every file of an archive, by one of `ENGINES`.

    Parameters
    ----------
    patterns
        Files, folders, or patterns such as ``archive/*/*.parquet``; paths, or URLs that fsspec
        knows.
    engine
        ``"local"``, ``"duckdb"``, ``"spark"`` or ``"ray"``.
    trusted
        The public key that must have signed every file.

    Raises
    ------
    ArchiveError
        If there is no file, or the same reports stand in two of them, or an engine is not
        installed; and as `files.tally_of` does.
    """
    urls = sorted({url for pattern in patterns for url in files_of(pattern)})
    if not urls:
        raise ArchiveError("there is no .parquet file; name a folder that was sealed")
    found = ENGINES[engine](urls, trusted)
    counted = Counter((t.footer.survey.digest, t.footer.question, t.footer.day, t.footer.part)
                      for t in found)  # fmt: skip
    twice = [place for place, times in counted.items() if times > 1]
    if twice:
        raise ArchiveError(
            f"two files hold the reports of {twice[0][2]} to the same question, and would be"
            " counted twice; leave one copy away"
        )
    return found


def _read_by_duckdb(url: str, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    engine = _installed("duckdb")
    try:
        with engine.connect() as connection:
            if "://" in url:
                connection.register_filesystem(filesystem_of(url)[0])
            for batch in connection.read_parquet(_escaped(url)).to_arrow_reader(ROWS):
                yield _of_fixed_width(batch, schema)
    except engine.Error as error:
        raise ArchiveDamaged(f"{url} cannot be read as Parquet: {error}") from error


def _escaped(url: str) -> str:
    """Return the pattern of DuckDB that is this file alone."""
    return "".join(f"[{each}]" if each in "[*?" else each for each in url)


def _of_fixed_width(batch: pa.RecordBatch, schema: pa.Schema) -> pa.RecordBatch:
    """Return a batch whose bytes have their width again, for which DuckDB has no type."""
    types = {field.name: field.type for field in schema}
    names = batch.schema.names
    arrays = [
        array.cast(types[name]) if array.type == pa.binary() and name in types else array
        for name, array in zip(names, batch.columns, strict=True)
    ]
    return pa.RecordBatch.from_arrays(arrays, names=names)


def _installed(name: str) -> Any:
    """Return a package that not every server has.

    Raises
    ------
    ExtraMissing
        If it is not installed.
    """
    from importlib import import_module

    try:
        return import_module(name)
    except ImportError as error:
        extra = name.partition(".")[0].removeprefix("py")
        raise ExtraMissing(
            f"{name.partition('.')[0]} is not installed: pip install 'tossup-server[{extra}]'"
        ) from error
