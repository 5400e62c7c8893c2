"""``tossup plan``: how exact a share will be, for which epsilons, and against a trusted curator."""

from collections.abc import Collection
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import IO, TYPE_CHECKING, Final

import click
from click.core import ParameterSource

from tossup.server.cli.output import json_option
from tossup.server.cli.planning.both_sides import QUERIES, show_sides
from tossup.server.cli.planning.plan_share import Goal, show_share
from tossup.server.exact import exact
from tossup.shared.coins import MAX_WEIGHT_SUM

if TYPE_CHECKING:
    from tossup.server.planning.feasible import Figure

#: What every query beside a share reads; some read more, see `QUERIES`.
_READ: Final = ("query", "central", "n", "odds", "epsilon", "delta", "confidence", "as_json")

#: An epsilon becomes odds of so small integers that a mechanism of any size has weights for them.
_SIMPLE: Final = 1 << 14

_SHARES: Final = click.FloatRange(0, 1)
_INSIDE: Final = click.FloatRange(0, 1, min_open=True, max_open=True)


@click.command()
@click.argument("file", type=click.File("rb"), required=False)
@click.option("-n", "--n", type=click.IntRange(1, 10**12), help="How many respondents.")
@click.option(
    "--margin", type=_INSIDE,
    help="Or: how far off the population's share may be, such as 0.03. With --n: the odds for it.",
)  # fmt: skip
@click.option(
    "--tell", nargs=2, type=_SHARES, metavar="SHARE AGAINST",
    help="Or: a share that a test should tell from another, such as 0.2 0.",
)  # fmt: skip
@click.option(
    "--versus", nargs=2, type=_SHARES, metavar="FIRST SECOND",
    help="Or: the shares of two groups that a test should tell apart, such as 0.1 0.2.",
)  # fmt: skip
@click.option(
    "--cheating", type=_INSIDE,
    help="Or: a share who always say no, which a survey of two designs should tell from none.",
)  # fmt: skip
@click.option(
    "--deviation", type=click.FloatRange(0, min_open=True),
    help="With --n: the largest standard deviation, such as 10; for which epsilons?",
)  # fmt: skip
@click.option(
    "--error", nargs=2, type=float, metavar="AMOUNT CHANCE",
    help="With --n: an absolute error above AMOUNT has a probability below CHANCE.",
)  # fmt: skip
@click.option(
    "--of", type=click.Choice(["count", "share", "sum"]), default="count", show_default=True,
    help="--deviation and --error: of these respondents' count or sum, or the population's share.",
)  # fmt: skip
@click.option(
    "--bounds", nargs=2, type=float, metavar="LOW HIGH",
    help="--of sum, --query mean and median: bounds of the numbers.",
)  # fmt: skip
@click.option(
    "--power", type=_INSIDE, default=0.8, show_default=True,
    help="Of the test, two-sided at 1 - confidence; by normal approximation.",
)  # fmt: skip
@click.option("--share", type=_INSIDE, help="The share expected.  [default: 0.5, the widest]")
@click.option("--groups", type=click.IntRange(1, 10**6), help="The same n in each of these groups.")
@click.option(
    "--questions", type=click.IntRange(1, 1000),
    help="The odds are the total of so many questions; each gets its part.",
)  # fmt: skip
@click.option(
    "--odds",
    help="Odds of the coins, such as 3 or 5/2; with --deviation and --error a limit.  [default: 3]",
)
@click.option("--epsilon", help="Or an epsilon that they must not exceed.")
@click.option(
    "--delta", type=click.FloatRange(0, 1, max_open=True), default=0.0, show_default=True,
    help="With --compare: delta that a curator may add, for normal noise.",
)  # fmt: skip
@click.option("--confidence", type=_INSIDE, default=0.95, show_default=True, help="Of the margins.")
@click.option(
    "--query", type=click.Choice(["share", *QUERIES]), default="share", show_default=True,
    help="--compare: what is asked of the --n respondents; of a join they are its rows.",
)  # fmt: skip
@click.option(
    "--options", type=click.IntRange(2, 10**9), help="--query histogram, most-chosen: of how many."
)
@click.option(
    "--components", type=click.IntRange(2, 10**4), help="--query moments: of how many numbers each."
)
@click.option(
    "--most-frequent", nargs=2, type=click.IntRange(1, 10**9), metavar="LEFT RIGHT",
    help="--query join: how often the commonest joined value occurs in either table.",
)  # fmt: skip
@click.option("--self-join", is_flag=True, help="--query join: both tables are one.")
@click.option("--compare", "central", is_flag=True, help="Beside it: a curator who is trusted.")
@json_option
def plan(
    *,
    file: IO[bytes] | None,
    n: int | None,
    margin: float | None,
    tell: tuple[float, float] | None,
    versus: tuple[float, float] | None,
    cheating: float | None,
    deviation: float | None,
    error: tuple[float, float] | None,
    of: "Figure",
    bounds: tuple[float, float] | None,
    power: float,
    share: float | None,
    groups: int | None,
    questions: int | None,
    odds: str | None,
    epsilon: str | None,
    delta: float,
    confidence: float,
    query: str,
    options: int | None,
    components: int | None,
    most_frequent: tuple[int, int] | None,
    self_join: bool,
    central: bool,
    as_json: bool,
) -> None:
    """Show how exact the share of a yes/no question will be, or how many must answer.

    With FILE, a survey file: every question of it, of whatever kind, under its own coins, for its
    groups and its waves. Give --margin, or --n. Of a number a margin is a part of its range.

    Give one of --n, --margin, --tell, --versus and --cheating; with --versus, n is for each group.
    The number is the smallest that truly reaches what is asked. With --n and --margin, the odds
    are the smallest.

    With --n and --deviation, --error or both: the epsilons that meet all demands, or that there
    are none.

    With --compare, local and central stand side by side, the local way first: what one gets when
    nobody is trusted, and what a curator who is shown every true answer would get at the same
    epsilon. With --query, of a count, a histogram, the option most chosen, a mean, the moments of
    several numbers (sums of the products of every two, and of squares), a median or a count over a
    join.
    """
    from tossup.server.cli.planning.demands import Asked, show_demands
    from tossup.server.cli.planning.plan_survey import show_survey
    from tossup.server.planning.errors import PlanningError

    goal = Goal(n, margin, tell, versus, cheating, power, share, confidence)
    given = odds is not None or epsilon is not None
    try:
        if file is not None:
            _refuse_unread("a survey file", ("file", "n", "margin", "confidence", "as_json"))
            show_survey(file, n, margin, confidence, as_json=as_json)
            return
        if query != "share":
            if n is None or not central or any((margin, tell, versus, cheating, of != "count")):
                raise click.UsageError(
                    "--query goes with --compare and --n alone, as in --compare --n 1000"
                )
            _refuse_unread(f"--query {query}", (*_READ, *QUERIES[query].reads))
            show_sides(
                query,
                as_json=as_json,
                n=n,
                odds=_odds(odds, epsilon, limit=_SIMPLE),
                delta=delta,
                confidence=confidence,
                options=options,
                components=components,
                bounds=bounds,
                frequencies=most_frequent,
                self_join=self_join,
            )
            return
        if deviation is not None or error is not None:
            if n is None or any((margin, tell, versus, cheating)):
                raise click.UsageError("--deviation and --error go with --n alone, as in --n 1000")
            limit = _odds(odds, epsilon) if given else None
            figure = Asked(n, deviation, error, of, bounds, limit)
            show_demands(figure, as_json=as_json)
            return
        if options or components or most_frequent or self_join:
            raise click.UsageError(
                "--options, --components, --most-frequent and --self-join belong to --query"
            )
        if bounds or of != "count":
            raise click.UsageError(
                "--of and --bounds belong to --deviation and --error, --bounds to --query too"
            )
        used = _odds_of(goal, odds, epsilon, questions, given=given)
        show_share(goal, used, groups, questions, delta, central=central, as_json=as_json)
    except PlanningError as problem:
        raise click.UsageError(str(problem)) from problem


def _refuse_unread(asked: str, read: Collection[str]) -> None:
    """Refuse an option that has no meaning for what is asked, so that nobody trusts it had."""
    context = click.get_current_context()
    for option in context.command.params:
        given = context.get_parameter_source(option.name or "") is ParameterSource.COMMANDLINE
        if given and option.name not in read:
            raise click.UsageError(f"{option.opts[-1]} says nothing to {asked}: leave it out")


def _odds_of(
    goal: Goal, odds: str | None, epsilon: str | None, questions: int | None, *, given: bool
) -> Fraction:
    """Return the odds of each question: those given, a part of them, or the least for a goal."""
    goals = (goal.n, goal.margin, goal.tell, goal.versus, goal.cheating)
    asked = sum(one is not None for one in goals)
    both = goal.n is not None and (goal.margin is not None or goal.cheating is not None)
    if asked != 1 and not (asked == 2 and both):
        raise click.UsageError(
            "give one of --n, --margin, --tell, --versus and --cheating, such as --n 1000"
        )
    if goal.n is not None and goal.margin is not None:
        from tossup.server.planning.sample_size import odds_for_margin

        if given or questions:
            raise click.UsageError("--n and --margin give the odds: leave --odds out")
        return odds_for_margin(goal.margin, goal.n, goal.confidence)
    total = _odds(odds, epsilon)
    if questions is None:
        return total
    from tossup.server.planning.sample_size import odds_each

    return odds_each(total, questions)


def _odds(odds: str | None, epsilon: str | None, limit: int = MAX_WEIGHT_SUM) -> Fraction:
    """Return the odds given, or the largest for an epsilon whose ratio sums to the limit."""
    from tossup.shared.errors import MechanismError
    from tossup.shared.odds import largest_odds

    if odds is not None and epsilon is not None:
        raise click.UsageError("give --odds or --epsilon, not both")
    try:
        return (
            exact(odds or "3") if epsilon is None else largest_odds(Decimal(epsilon), limit=limit)
        )
    except InvalidOperation as error:
        raise click.UsageError(f"--epsilon: {epsilon!r} is not a number such as 0.5") from error
    except (MechanismError, ValueError) as error:
        option = "--odds" if epsilon is None else "--epsilon"
        raise click.UsageError(f"{option}: {error}") from error
