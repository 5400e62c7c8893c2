"""``tossup plan --compare --query``: other queries than a share, local and central side by side."""

from typing import TYPE_CHECKING

from tossup.server.cli.output import emit, note, table
from tossup.shared.figures import brief, in_full
from tossup.shared.odds import epsilon

if TYPE_CHECKING:
    from tossup.server.planning.sides import Asked, Side, Sides


def show_sides(query: str, asked: "Asked", *, as_json: bool) -> None:
    """Print a query answered both ways, the local way first."""
    from tossup.server.planning.sides import sides

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
