"""``tossup plan --compare --query``: other queries than a share, local and central side by side."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click

from tossup.server.cli.output import emit, note, table
from tossup.shared.figures import brief, in_full
from tossup.shared.odds import epsilon

if TYPE_CHECKING:
    from tossup.server.planning.sides import Asked, Side, Sides


class Needs(NamedTuple):
    """What a query asks for beside the number of respondents.

    Attributes
    ----------
    part
        The attribute of `tossup.server.planning.sides.Asked` that it cannot do without, or nothing.
    example
        How that is typed.
    reads
        The options that it reads, by their names.
    """

    part: str = ""
    example: str = ""
    reads: tuple[str, ...] = ()


_OF_OPTIONS: Final = Needs("options", "--options, such as --options 16", ("options",))
_OF_NUMBERS: Final = Needs("bounds", "--bounds LOW HIGH, such as --bounds 0 10", ("bounds",))

#: Queries beside a share, here by name alone: the module that answers them loads numpy.
QUERIES: Final[Mapping[str, Needs]] = {
    "count": Needs(),
    "histogram": _OF_OPTIONS,
    "most-chosen": _OF_OPTIONS,
    "mean": _OF_NUMBERS,
    "moments": Needs("components", "--components, such as --components 3", ("components",)),
    "median": _OF_NUMBERS,
    "join": Needs(
        "frequencies",
        "--most-frequent LEFT RIGHT, such as --most-frequent 10 3",
        ("most_frequent", "self_join"),
    ),
}


def show_sides(query: str, *, as_json: bool, **parts: Any) -> None:
    """Print a query answered both ways, the local way first.

    Parameters
    ----------
    query
        A key of `QUERIES`.
    as_json
        Whether programs read it.
    parts
        Those of `tossup.server.planning.sides.Asked`.

    Raises
    ------
    click.UsageError
        If what the query needs is not among the parts; the message names the option.
    PlanningError
        If it is outside its range.
    """
    from tossup.server.planning.sides import Asked, sides

    asked, needs = Asked(**parts), QUERIES[query]
    if needs.part and getattr(asked, needs.part) is None:
        raise click.UsageError(f"--query {query} needs {needs.example}")
    found = sides(query, asked)
    value = {
        "query": found.query,
        "unit": found.unit,
        "n": asked.n,
        "odds": in_full(asked.odds),
        "epsilon": float(epsilon(asked.odds)),
        "confidence": asked.confidence,
        "assumes": found.assumes,
        "no_local": found.no_local,
        "price": found.price,
        "ways": [way.to_json() for way in found.ways],
    }
    emit(value, _as_text(found), as_json=as_json)
    if not as_json:
        _explain(found, asked)


def _as_text(found: "Sides") -> str:
    rows = [_row(way) for way in found.ways]
    return table(rows, list(rows[0]))


def _row(way: "Side") -> dict[str, object]:
    deviation = way.standard_deviation
    return {
        "model": way.model,
        "mechanism": way.mechanism,
        "delta": f"{way.delta:g}",
        "hides": way.hides,
        "standard deviation": "" if deviation is None else f"{deviation:.3g}",
        "error": f"{way.error:.4g}",
    }


def _explain(found: "Sides", asked: "Asked") -> None:
    note(
        f"{asked.n} respondents, odds {brief(asked.odds)}, epsilon {epsilon(asked.odds)}; errors"
        f" are in {found.unit}, around the answers of these respondents, and hold for all numbers"
        f" together with {100 * asked.confidence:g} % confidence."
    )
    if found.assumes:
        note(f"Assumed {found.assumes}.")
    if found.no_local:
        note(f"No local way: {found.no_local}.")
    if found.price is not None:
        note(
            f"To trust nobody makes the error {found.price:.3g} times as large as"
            f" {found.best.mechanism} does."
        )
    for model, trusts in dict.fromkeys((way.model, way.trusts) for way in found.ways):
        note(f"{model}: trusts {trusts}.")
