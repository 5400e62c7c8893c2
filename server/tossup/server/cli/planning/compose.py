"""``tossup compose``: what several answers cost together, by every bound."""

from decimal import MAX_EMAX, ROUND_CEILING, Context, Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

import click

from tossup.server.cli.authoring import promises
from tossup.server.cli.output import Number, emit, json_option, note
from tossup.server.exact import exact
from tossup.shared.figures import brief, in_full, read_in_full

if TYPE_CHECKING:
    from tossup.server.accounting.guarantee import Guarantee
    from tossup.server.accounting.shuffling import Amplified


#: Digits that people are shown; JSON has all.
_LONGEST_ODDS: Final = 500


@click.command()
@click.option(
    "--epsilon", "epsilons", type=Number(Decimal), multiple=True,
    help="Epsilon of an answer; give it again for another kind of answer.",
)  # fmt: skip
@click.option(
    "--odds", "all_odds", type=Number(exact), multiple=True,
    help="Or its odds, such as 3 or 5/2; the odds of all answers are then exact.",
)  # fmt: skip
@click.option(
    "--times", type=click.IntRange(1, 10**9), default=1, show_default=True,
    help="How many answers of each kind.",
)  # fmt: skip
@click.option(
    "--delta", type=Number(Decimal), default="0", show_default=True, help="Delta of each answer."
)
@click.option(
    "--slack", type=Number(Decimal), default="0", show_default=True,
    help="Delta to add for a smaller epsilon; at 0, epsilons only add up.",
)  # fmt: skip
@click.option(
    "--mixed", type=click.IntRange(1, 10**9), metavar="REPORTS",
    help="Also: one answer among so many reports, if someone mixes them; delta is the slack.",
)  # fmt: skip
@json_option
def compose(
    *,
    epsilons: tuple[Decimal, ...],
    all_odds: tuple[Fraction, ...],
    times: int,
    delta: Decimal,
    slack: Decimal,
    mixed: int | None,
    as_json: bool,
) -> None:
    """Show what answers by one device cost together, by every bound, and the tightest.

    What one answer costs comes first: it holds whomever one trusts. Figures are rounded up.
    """
    from tossup.shared.errors import TossupError

    if bool(epsilons) == bool(all_odds):
        raise click.UsageError("give either --epsilon or --odds, such as --odds 3")
    if mixed is not None and not slack:
        raise click.UsageError("--mixed needs a delta: give --slack too, such as --slack 1e-6")
    try:
        local = _answers(epsilons, all_odds, delta)
        value = {
            "answers": [_local(each, odds) for each, odds in _with_odds(local, all_odds)],
            "times": times,
            "odds": _whole_odds(all_odds, times),
            **promises.together({each: times * local.count(each) for each in local}, slack),
            "mixed": [promises.mixed(one) for one in _amplified(local, mixed, slack)],
        }
    except TossupError as error:
        raise click.UsageError(str(error)) from error
    emit(value, _as_text(value), as_json=as_json)
    if not as_json:
        note(f"Tightest: {value['tightest']}. Whatever is computed from reports is free.")


def _answers(
    epsilons: tuple[Decimal, ...], all_odds: tuple[Fraction, ...], delta: Decimal
) -> "list[Guarantee]":
    from tossup.server.accounting.guarantee import Guarantee

    pure = [Guarantee(e) for e in epsilons] or [Guarantee.of_odds(odds) for odds in all_odds]
    return [Guarantee(each.epsilon, delta) for each in pure]


def _amplified(local: "list[Guarantee]", mixed: int | None, slack: Decimal) -> "list[Amplified]":
    from tossup.server.accounting.shuffling import clones

    return [] if mixed is None else [clones(each, mixed, slack) for each in dict.fromkeys(local)]


def _with_odds(
    local: "list[Guarantee]", all_odds: tuple[Fraction, ...]
) -> "list[tuple[Guarantee, Fraction | None]]":
    known = all_odds or (None,) * len(local)
    return list(dict.fromkeys(zip(local, known, strict=True)))


def _local(each: "Guarantee", odds: Fraction | None) -> dict[str, object]:
    six_digits = Context(prec=6, rounding=ROUND_CEILING, Emax=MAX_EMAX)
    shown = odds if odds is not None else six_digits.plus(each.odds)
    return {"odds": str(shown), **promises.promise(each)}


def _whole_odds(all_odds: tuple[Fraction, ...], times: int) -> str | None:
    """Return the exact odds of all answers together, where they can still be read."""
    from tossup.shared.odds import compose as multiply

    if not all_odds or times * len(all_odds) > 1000:
        return None
    return in_full(multiply(odds for odds in all_odds for _ in range(times)))


def _as_text(value: dict[str, Any]) -> str:
    lines = [
        f"One answer:   odds {each['odds']}, epsilon {promises.four(each['epsilon'])}, delta"
        f" {each['delta']:g}, whomever one trusts"
        for each in value["answers"]
    ]
    if value["odds"]:
        exact = len(value["odds"]) <= _LONGEST_ODDS
        said = value["odds"] if exact else brief(read_in_full(value["odds"]))
        lines.append(f"All together: odds {said}{', exactly' if exact else ''}")
    lines += ["", promises.bounds_as_text(value)]
    lines += ["\n" + promises.mixed_as_text(one) for one in value["mixed"]]
    return "\n".join(lines)
