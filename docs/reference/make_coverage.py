"""Print how often intervals cover, as Markdown, by summation over every tally: no simulation.

``make bench`` writes it to docs/reference/coverage.md; a test fails when the two differ.
"""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2] / "tests" / "support"))

import interval_coverage as coverage

from tossup.server.estimation import two_coins, warner
from tossup.shared.mechanisms import Exponential, PermuteAndFlip
from tossup.shared.mechanisms.scores.base import in_a_row

TARGET = Path(__file__).with_name("coverage.md")

INTRODUCTION = """\
# How often intervals cover

Of two-coin surveys where no design is named, at a nominal 95 %, in percent.
Every number is a sum over all tallies there can be, with their exact chances; nothing is simulated.
`make bench` writes this page; a test compares it with what the estimators do.
How to choose among the methods: [what an estimate says](../explanation/what-an-estimate-says.md).
Which number has which: [decision 0029](../decisions/0029-score-intervals.md).
"""

SHARES = (0, 0.01, 0.05, 0.2, 0.5, 0.95)
SIZES = (20, 50, 100, 200, 500, 1000)
METHODS = ("wald", "score", "exact", "profile")
#: The exact interval takes a while to tabulate.
LARGEST_EXACT = 1000
GROUPS = (20, 50, 100, 500)
PAIRS = ((0, 0), (0.05, 0.05), (0.2, 0.1), (0.5, 0.5), (0.5, 0.2))
LOOKS = 300
CHOICES = (
    ("exponential, odds 4", Exponential(in_a_row(3), 2)),
    ("permute and flip, odds 25", PermuteAndFlip(in_a_row(3), 5)),
)
THREE = ((1, 0, 0), (0.96, 0.02, 0.02), (0.8, 0.1, 0.1), (0.5, 0.5, 0), (1 / 3, 1 / 3, 1 / 3))
DESIGNS = (("two coins", two_coins()), ("Warner 9/10", warner("9/10")))
FOUR = (
    (1, 0, 0, 0),
    (0.96, 0.02, 0.01, 0.01),
    (0.8, 0.1, 0.05, 0.05),
    (0.25, 0.25, 0.25, 0.25),
    (0.5, 0, 0, 0.5),
)
FEW = (20, 30, 50)
#: Honest yes, honest no, and those who always say no.
CHEATING = ((0, 1, 0), (0.02, 0.98, 0), (0.1, 0.8, 0.1), (0.5, 0.4, 0.1), (0, 0.7, 0.3))
RED = (0, 0.02, 0.1, 0.5, 0.9, 1)
WAVES = (20, 30, 50)
TIMES = (0, 1, 3)
PATHS = ((0, 0, 0), (0.02, 0.02, 0.02), (0.1, 0.1, 0.1), (0.5, 0.5, 0.5), (0, 0.5, 1), (0, 1, 0))


def main() -> str:
    """Return the page."""
    parts = (
        one_share(),
        grid(),
        differences(),
        trends(),
        choices(),
        cells(),
        samples(),
        cards(),
        looks(),
    )
    return "\n\n".join([INTRODUCTION.rstrip("\n"), *("\n".join(part) for part in parts)])


def one_share() -> Iterator[str]:
    """Yield a table of coverage by number of reports and true share."""
    yield "## One share\n"
    yield from head("n", "true share", *METHODS)
    for n in SIZES:
        found = {m: coverage.covered(n, m, SHARES) for m in methods_at(n)}
        for place, share in enumerate(SHARES):
            yield row(n, f"{share:g}", *(cell(found, m, place) for m in METHODS))
    yield ""
    yield "`wald` is for reproducing papers alone; `profile` is the interval shown in words and"
    yield "charts, never empty and within 0 to 100 %."


def grid() -> Iterator[str]:
    """Yield a table of the least and the mean coverage."""
    yield "## Over 401 true shares from 0 to 1\n"
    yield from head("n", *(f"{method}: least, mean" for method in METHODS))
    for n in SIZES:
        found = {method: coverage.covered(n, method) for method in methods_at(n)}
        yield row(
            n,
            *(
                f"{percent(found[m].min())}, {percent(found[m].mean())}" if m in found else ""
                for m in METHODS
            ),
        )


def differences() -> Iterator[str]:
    """Yield a table of coverage of differences."""
    yield "## A difference of two groups of n each (MOVER)\n"
    yield from head("true shares", *(f"n = {n}" for n in GROUPS))
    for first, second in PAIRS:
        shares = (percent(coverage.difference_covered(n, first, second)) for n in GROUPS)
        yield row(f"{first:g}, {second:g}", *shares)


def trends() -> Iterator[str]:
    """Yield a table of coverage of slopes."""
    times = ", ".join(map(str, TIMES))
    yield f"## A trend over three waves of n each, at times {times} (MOVER)\n"
    yield from head("true shares", *(f"n = {n}" for n in WAVES))
    for path in PATHS:
        shares = (percent(coverage.trend_covered(n, path, TIMES)) for n in WAVES)
        yield row(", ".join(f"{share:g}" for share in path), *shares)


def choices() -> Iterator[str]:
    """Yield a table of the least coverage of the shares of choices by score."""
    yield "## A choice by score of three options in a row, the least of the three (score)\n"
    yield from leasts(CHOICES, THREE, FEW, coverage.choices_covered)


def cells() -> Iterator[str]:
    """Yield a table of the least coverage of the cells of joint tables."""
    yield "## A table of two yes/no questions, the least of the four cells (score)\n"
    yield from leasts(DESIGNS, FOUR, FEW[:2], coverage.cells_covered)


def samples() -> Iterator[str]:
    """Yield a table of coverage of what two samples tell of cheating."""
    yield "## Cheating detection from two samples of n each (MOVER)\n"
    names = ("honest yes", "honest no", "cheating")
    yield from head("true shares", *(f"{name}, n = {n}" for n in FEW[:2] for name in names))
    for shares in CHEATING:
        found = (chance for n in FEW[:2] for chance in coverage.two_samples_covered(n, shares))
        yield row(", ".join(f"{share:g}" for share in shares), *map(percent, found))


def cards() -> Iterator[str]:
    """Yield a table of coverage of the method of moments."""
    yield "## Kuk's cards, two a report, by the method of moments (score)\n"
    yield from head("true share", *(f"n = {n}" for n in FEW))
    columns = [coverage.cards_covered(n, RED) for n in FEW]
    for share, *found in zip(RED, *columns, strict=True):
        yield row(f"{share:g}", *map(percent, found))


def leasts(designs: tuple, populations: tuple, sizes: tuple, covered: Callable) -> Iterator[str]:
    """Yield a table with a row a population, and a column a design and number of reports."""
    columns = [(name, design, n) for name, design in designs for n in sizes]
    found = [covered(n, design, populations).min(axis=1) for _, design, n in columns]
    yield from head("true shares", *(f"{name}, n = {n}" for name, _, n in columns))
    for place, shares in enumerate(populations):
        told = ", ".join(f"{share:.3g}" for share in shares)
        yield row(told, *(percent(column[place]) for column in found))


def looks() -> Iterator[str]:
    """Yield a table of coverage at all looks at once."""
    yield f"## All of the first {LOOKS} looks at once (confidence sequence)\n"
    yield from head("true share", "covered at every look")
    for share in SHARES:
        missed = coverage.ever_missed(0.25 + share / 2, coverage.bounds(LOOKS))
        yield row(f"{share:g}", percent(1 - missed))


def methods_at(n: int) -> tuple[str, ...]:
    """Return the methods that a number of reports has a column for."""
    return tuple(m for m in METHODS if m != "exact" or n <= LARGEST_EXACT)


def cell(found: dict, method: str, place: int) -> str:
    """Return a coverage, or nothing for a method without one."""
    return percent(found[method][place]) if method in found else ""


def percent(chance: float) -> str:
    """Return a chance with one decimal."""
    return f"{100 * chance:.1f}"


def head(*names: str) -> Iterator[str]:
    """Yield the head of a table, and its rule."""
    yield row(*names)
    yield row(*("---:" for _ in names))


def row(*cells: object) -> str:
    """Return a line of a table."""
    return f"| {' | '.join(map(str, cells))} |"


if __name__ == "__main__":
    TARGET.write_text(f"{main()}\n", "utf-8")
