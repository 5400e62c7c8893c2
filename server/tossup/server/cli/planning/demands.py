"""``tossup plan --deviation --error``: the epsilons that meet several demands at once."""

from dataclasses import dataclass
from fractions import Fraction
from math import log
from typing import TYPE_CHECKING

import click

from tossup.server.cli.output import emit

if TYPE_CHECKING:
    from tossup.server.planning.feasible import Demand, Feasible, Figure, Range


@dataclass(frozen=True, slots=True)
class Asked:
    """Which figure of how many respondents, what is demanded of it, and what it may cost."""

    n: int
    deviation: float | None
    error: tuple[float, float] | None
    of: "Figure"
    bounds: tuple[float, float] | None
    limit: Fraction | None


def show_demands(asked: Asked, *, as_json: bool) -> None:
    """Print which epsilons meet all demands, or that none does."""
    from tossup.server.planning.feasible import feasible

    if (asked.of == "sum") != (asked.bounds is not None):
        raise click.UsageError("--of sum needs --bounds LOW HIGH, such as 0 10; nothing else does")
    demands, bounds = _demands(asked), asked.bounds or (0, 1)
    found = feasible(asked.n, demands, of=asked.of, bounds=bounds, limit=asked.limit)
    value = {
        "n": asked.n,
        "of": asked.of,
        "demands": [str(demand) for demand in demands],
        "limit": None if asked.limit is None else str(asked.limit),
        "local": _range(found.local, asked.limit),
        "central": _range(found.central, asked.limit),
        "standard_deviation_left": found.floor,
    }
    emit(value, _as_text(found), as_json=as_json)


def _demands(asked: Asked) -> "list[Demand]":
    from tossup.server.planning.feasible import Deviation, Tail

    found: list[Demand] = []
    if asked.deviation is not None:
        found.append(Deviation(asked.deviation))
    if asked.error is not None:
        found.append(Tail(*asked.error))
    return found


def _range(found: "Range | None", limit: Fraction | None) -> dict[str, object] | None:
    if found is None:
        return None
    return {
        "odds_from": found.odds,
        "epsilon_from": found.epsilon,
        "odds_to": None if limit is None else float(limit),
        "epsilon_to": None if limit is None else log(limit),
        "binding": str(found.demand),
    }


def _as_text(found: "Feasible") -> str:
    lines = [_line("local", found.local, found.limit), _line("central", found.central, found.limit)]
    if found.floor:
        lines.append(f"At any epsilon a local standard deviation of {found.floor:.4g} is left.")
    return "\n".join(lines)


def _line(model: str, found: "Range | None", limit: Fraction | None) -> str:
    if found is None:
        within = "" if limit is None else f" within odds of {limit}"
        return f"{model}: no epsilon{within} meets all demands"
    to = "" if limit is None else f" to {log(limit):.4f} (odds {limit})"
    return (
        f"{model}: epsilon from {found.epsilon:.4f} (odds {found.odds:,.7g}){to};"
        f" what asks for most: {found.demand}"
    )
