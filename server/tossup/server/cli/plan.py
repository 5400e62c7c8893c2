"""``tossup plan``: how exact a share will be, and what a trusted curator would have got."""

from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import TYPE_CHECKING

import click

from tossup.server.cli.output import emit, json_option, note, table
from tossup.server.exact import exact

if TYPE_CHECKING:
    from tossup.server.planning.compare import Way


@click.command()
@click.option("-n", "--n", type=click.IntRange(1, 10**12), help="How many respondents.")
@click.option(
    "--margin", type=click.FloatRange(0, 1, min_open=True, max_open=True),
    help="Or: how far off the population's share may be, such as 0.03.",
)  # fmt: skip
@click.option(
    "--tell", nargs=2, type=click.FloatRange(0, 1), metavar="SHARE AGAINST",
    help="Or: a share that a test should tell from another, such as 0.2 0.",
)  # fmt: skip
@click.option(
    "--versus", nargs=2, type=click.FloatRange(0, 1), metavar="FIRST SECOND",
    help="Or: the shares of two groups that a test should tell apart, such as 0.1 0.2.",
)  # fmt: skip
@click.option(
    "--power", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.8,
    show_default=True, help="Of that test, two-sided at 1 - confidence.",
)  # fmt: skip
@click.option("--odds", help="Odds of the coins, such as 3 or 5/2.  [default: 3]")
@click.option("--epsilon", help="Or an epsilon that they must not exceed.")
@click.option(
    "--delta", type=click.FloatRange(0, 1, max_open=True), default=0.0, show_default=True,
    help="With --compare: delta that a curator may add, for normal noise.",
)  # fmt: skip
@click.option(
    "--confidence", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.95,
    show_default=True, help="Of the margins.",
)  # fmt: skip
@click.option("--compare", "central", is_flag=True, help="Beside it: a curator who is trusted.")
@json_option
def plan(
    *,
    n: int | None,
    margin: float | None,
    tell: tuple[float, float] | None,
    versus: tuple[float, float] | None,
    power: float,
    odds: str | None,
    epsilon: str | None,
    delta: float,
    confidence: float,
    central: bool,
    as_json: bool,
) -> None:
    """Show how exact the share of a yes/no question will be, or how many must answer.

    Give one of --n, --margin, --tell and --versus; with --versus, n is for each group. The number
    is the smallest that truly reaches what is asked.

    With --compare, local and central stand side by side, the local way first: what one gets when
    nobody is trusted, and what a curator who is shown every true answer would get at the same
    epsilon.
    """
    from tossup.server.planning.compare import compare, local
    from tossup.server.planning.errors import PlanningError
    from tossup.shared.accounting import epsilon as epsilon_of

    if sum(goal is not None for goal in (n, margin, tell, versus)) != 1:
        raise click.UsageError("give one of --n, --margin, --tell and --versus, such as --n 1000")
    used = _odds(odds, epsilon)
    try:
        people = n or _respondents(
            used, confidence, margin=margin, tell=tell, versus=versus, power=power
        )
        ways = compare(used, people, delta, confidence) if central else None
        ways = ways or (local(used, people, confidence),)
    except PlanningError as error:
        raise click.UsageError(str(error)) from error
    value = {
        "n": people,
        "odds": str(used),
        "epsilon": float(epsilon_of(used)),
        "confidence": confidence,
        **({"power": power} if tell or versus else {}),
        "ways": [way.to_json() for way in ways],
    }
    emit(value, _as_text(ways, central=central), as_json=as_json)
    if not as_json:
        note(
            f"{people} respondents{' in each group' if versus else ''}, odds {used},"
            f" epsilon {epsilon_of(used)}, {100 * confidence:g} % confidence;"
            " the population's margin at a share of one half."
        )
        _name_the_trusted(ways)


def _respondents(
    odds: Fraction,
    confidence: float,
    *,
    margin: float | None,
    tell: tuple[float, float] | None,
    versus: tuple[float, float] | None,
    power: float,
) -> int:
    """Return how many respondents the one goal that was given needs."""
    from tossup.server.planning import sample_size

    design, level = sample_size.symmetric(odds), 1 - confidence
    if tell is not None:
        share, against = tell
        return sample_size.respondents_for_power(design, share, power, against=against, level=level)
    if versus is not None:
        return sample_size.respondents_per_group(design, *versus, power, level=level)
    return sample_size.respondents_for_margin(design, margin or 0.0, confidence, share=0.5)


def _odds(odds: str | None, epsilon: str | None) -> Fraction:
    from tossup.shared.accounting import largest_odds
    from tossup.shared.errors import MechanismError

    if odds is not None and epsilon is not None:
        raise click.UsageError("give --odds or --epsilon, not both")
    try:
        return exact(odds or "3") if epsilon is None else largest_odds(Decimal(epsilon))
    except InvalidOperation as error:
        raise click.UsageError(f"--epsilon: {epsilon!r} is not a number such as 0.5") from error
    except (MechanismError, ValueError) as error:
        option = "--odds" if epsilon is None else "--epsilon"
        raise click.UsageError(f"{option}: {error}") from error


def _as_text(ways: "tuple[Way, ...]", *, central: bool) -> str:
    rows = [
        {
            "model": way.model,
            "mechanism": way.mechanism,
            "delta": f"{way.delta:g}",
            "these respondents": f"± {_points(way.margin_respondents)}",
            "population": f"± {_points(way.margin_population)}",
            "respondents for the local margin": way.respondents,
        }
        for way in ways
    ]
    columns = list(rows[0])
    return table(rows, columns if central else columns[:-1])


def _points(margin: float) -> str:
    """Return a margin in percentage points, two significant digits or more, rounded up."""
    from tossup.shared.accounting.rounding import UPWARD

    exact = UPWARD.create_decimal(repr(100 * margin))
    digits = max(1, 1 - exact.adjusted())
    return f"{exact.quantize(Decimal(1).scaleb(-digits), context=UPWARD)} points"


def _name_the_trusted(ways: "tuple[Way, ...]") -> None:
    for model, trusts in dict.fromkeys((way.model, way.trusts) for way in ways):
        note(f"{model}: trusts {trusts}.")
