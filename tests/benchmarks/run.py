"""Measure everything, print it as a table and write it to build/bench.json.

Run by ``make bench``. Ratios are medians over interleaved rounds; nothing else should run.
"""

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

from bench_accounting import mixing
from bench_archives import archives
from bench_dear import dear
from bench_device import (
    answering,
    bytes_on_the_wire,
    command_help,
    imports,
    long_lived,
    waves,
    wheel,
)
from bench_estimation import analysing
from bench_figures import Figure, table
from bench_first import first_page
from bench_growth import growth
from bench_ingest import ingest
from bench_many import respondents
from bench_oracles import choices
from bench_pages import pages
from bench_postgres import shared
from bench_tossing import tossing

TARGET = Path(__file__).parents[2] / "build" / "bench.json"
MEASURES: tuple[Callable[[], Figure | list[Figure]], ...] = (
    imports,
    command_help,
    wheel,
    answering,
    long_lived,
    waves,
    respondents,
    bytes_on_the_wire,
    ingest,
    growth,
    shared,
    dear,
    first_page,
    archives,
    analysing,
    mixing,
    tossing,
    choices,
    pages,
)


def main() -> int:
    """Return 1 if a gate is missed."""
    figures: list[Figure] = []
    for measure in MEASURES:
        print(f"measuring {measure.__name__} ...", end=" ", flush=True, file=sys.stderr)
        start = time.monotonic()
        found = measure()
        print(f"{time.monotonic() - start:.0f} s", file=sys.stderr)
        figures += found if isinstance(found, list) else [found]
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text(json.dumps([figure.to_json() for figure in figures], indent=2) + "\n")
    print(table(figures))
    return 0 if all(figure.holds(figure.gate) for figure in figures) else 1


if __name__ == "__main__":
    sys.exit(main())
