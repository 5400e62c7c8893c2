"""Measure everything, print it as a table and write it to build/bench.json.

Run by ``make bench``, of all parts or of those named: ``make bench ARGS="wheel growth"``. Ratios
are medians over interleaved rounds; nothing else should run.
"""

import json
import sys
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
from bench_figures import Figure, Part, measured, table
from bench_first import first_page
from bench_growth import growth
from bench_ingest import ingest
from bench_many import respondents
from bench_oracles import choices
from bench_pages import pages
from bench_postgres import shared
from bench_tossing import tossing

TARGET = Path(__file__).parents[2] / "build" / "bench.json"
MEASURES: tuple[Part, ...] = (
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


def main(names: list[str]) -> int:
    """Measure the parts of these names, or all; return 1 if a gate is missed or a part fails."""
    figures, failed = measured(_chosen(names), _write)
    print(table(figures))
    if failed:
        print(f"not measured, since they failed: {', '.join(failed)}")
    return 0 if not failed and all(figure.holds(figure.gate) for figure in figures) else 1


def _chosen(names: list[str]) -> list[Part]:
    by_name = {part.__name__: part for part in MEASURES}
    if unknown := sorted(set(names) - set(by_name)):
        sys.exit(f"No part is called {', '.join(unknown)}. The parts are: {', '.join(by_name)}.")
    return [by_name[name] for name in names or by_name]


def _write(figures: list[Figure]) -> None:
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text(json.dumps([figure.to_json() for figure in figures], indent=2) + "\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
