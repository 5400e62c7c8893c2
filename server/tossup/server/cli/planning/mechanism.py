"""``tossup mechanism``: what the mechanisms are, and what a design of one costs and tells."""

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

import click

from tossup.server.cli.output import emit, json_option, table
from tossup.shared.figures import brief, read_in_full

if TYPE_CHECKING:
    from tossup.shared.mechanisms import Mechanism

_RATIO: Final = re.compile(r"[0-9]{1,15}/[0-9]{1,15}")
_SHOWN = 8  # answers and reports of a channel on a terminal; --json has all


def ratio(_context: click.Context, _parameter: click.Parameter, value: str) -> Fraction:
    """Return an option's number exactly as written: 3, 5/2 or 0.5."""
    try:
        return Fraction(value)
    except (ValueError, ZeroDivisionError) as error:
        raise click.BadParameter(f"{value!r} is not a number such as 3, 5/2 or 0.5") from error


def optional_ratio(
    context: click.Context, parameter: click.Parameter, value: str | None
) -> Fraction | None:
    """Return an option's number exactly as written, or None where it is not given."""
    return None if value is None else ratio(context, parameter, value)


odds_option: Callable[[Any], Any] = click.option(
    "--odds", metavar="NUMBER", callback=ratio, default="3", show_default=True,
    help="The odds of the design, exactly.",
)  # fmt: skip
answers_option: Callable[[Any], Any] = click.option(
    "--options", "answers", type=click.IntRange(2, 1024), default=2, show_default=True,
    help="How many answers there are to choose from, one or several.",
)  # fmt: skip
most_option: Callable[[Any], Any] = click.option(
    "--most", type=click.IntRange(1, 64), metavar="COUNT",
    help="How many of the options one may tick, for mechanisms that take several; else all.",
)  # fmt: skip
delta_option: Callable[[Any], Any] = click.option(
    "--delta", metavar="NUMBER", callback=optional_ratio,
    help="The chance for which discrete-gaussian need not keep its odds.  [default: 1e-6]",
)  # fmt: skip
set_option: Callable[[Any], Any] = click.option(
    "--set", "parameters", multiple=True, metavar="NAME=VALUE",
    help="A parameter as a manifest has it, such as keep=5; instead of --odds.",
)  # fmt: skip


@click.group()
def mechanism() -> None:
    """List the mechanisms; show what a design costs and tells."""


@mechanism.command(name="list")
@json_option
def list_(*, as_json: bool) -> None:
    """List every mechanism with its parameters, for odds of 3 and two options."""
    from tossup.server.catalogue import entries

    found = [entry.to_json() for entry in entries()]
    rows = [
        {
            "name": entry["name"],
            "parameters": _words(entry["parameters"]),
            "for": entry["answers"],
            "what it does": str(entry["summary"]).replace("``", ""),
        }
        for entry in found
    ]
    emit({"mechanisms": found}, table(rows, list(rows[0])), as_json=as_json)


@mechanism.command()
@click.argument("name")
@odds_option
@answers_option
@most_option
@delta_option
@set_option
@click.option(
    "--share", metavar="NUMBER", callback=ratio, default="0", show_default=True,
    help="True share for which the variance is given.",
)  # fmt: skip
@json_option
def show(
    *,
    name: str,
    odds: Fraction,
    answers: int,
    most: int | None,
    delta: Fraction | None,
    parameters: Sequence[str],
    share: Fraction,
    as_json: bool,
) -> None:
    """Show the channel of mechanism NAME, its odds, epsilon, delta, variance and report size.

    All numbers are exact, probabilities are printed as ratios; only the variance of the mean of
    numbers and vectors, and of shares told by score, is a float. Of orders it is that of an
    option's mean points, of texts that of a share. Where there is none, the reason is said.
    """
    from tossup.server.catalogue import facts

    if not 0 <= share <= 1:
        raise click.UsageError(f"--share {share} must be from 0 to 1")
    found = facts(design_of(name, odds, answers, parameters, most, delta=delta), share)
    emit(found, _as_text(found), as_json=as_json)


def design_of(
    name: str,
    odds: Fraction,
    answers: int,
    parameters: Sequence[str],
    most: int | None = None,
    *,
    delta: Fraction | None = None,
) -> "Mechanism":
    """Return the design that options ask for; what does not fit is a wrong usage."""
    from tossup.server.catalogue import design
    from tossup.shared.errors import MechanismError

    try:
        pairs = [_parameter(text) for text in parameters]
        given = dict(pairs)
        if len(given) < len(pairs):
            raise click.UsageError("give each NAME of --set once")
        return design(name, answers, odds, given, most, delta=delta)
    except MechanismError as error:
        raise click.UsageError(str(error)) from error


def _parameter(text: str) -> tuple[str, object]:
    from tossup.shared import strict_json
    from tossup.shared.errors import WireError

    name, equals, value = text.partition("=")
    try:
        if equals and _RATIO.fullmatch(value):
            return name, value
        if equals:
            return name, strict_json.loads(value.encode(), 1 << 16)
    except WireError:
        pass
    raise click.UsageError(f"--set {text}: expected NAME=VALUE, such as keep=5")


def _words(parameters: Any) -> str:
    return ", ".join(f"{name}={value}" for name, value in parameters.items()) or "none"


def _in_waves(found: dict[str, Any]) -> list[str]:
    """Return what a device keeps costs in a survey that asks again; nothing if it keeps none."""
    lines = []
    if wave := found.get("given_memo"):
        lines.append(
            f"A wave, for whoever takes the device: odds {_odds(wave)}:1 (epsilon"
            f" {wave['epsilon']}), as devices are charged"
        )
    if kept := found.get("kept"):
        lines.append(f"Kept, in waves: odds {_odds(kept)}:1 (epsilon {kept['epsilon']}) for life")
    return lines


def _odds(found: dict[str, Any]) -> str:
    return brief(read_in_full(found["odds"]))


def _as_text(found: dict[str, Any]) -> str:
    from tossup.shared.odds import chance_as_text

    delta = read_in_full(found["delta"])
    chance = chance_as_text(delta) if delta else "0"
    lines = [
        f"{found['name']}, {found['answers']} answers, {found['reports']} reports"
        f" of {found['report_bits']} bit(s)",
        f"Odds {_odds(found)}:1 (epsilon {found['epsilon']}, delta {chance})",
    ]
    lines += _in_waves(found)
    if found["variance"] is None:
        lines.append(f"No variance: {found['variance_reason']}.")
    else:
        lines.append(_variance_as_text(found["variance"], found["share"]))
    return "\n".join(lines + _channel_lines(found["channel"]))


#: What is of the population alone: its words, with the share.
_OF_POPULATION: Final = {
    "points": "of an option's mean points, at {share}: {found} for the population",
    "text": (
        "of a text's share, at {share}: {found} for the population, and what collisions with"
        " other common texts add"
    ),
}
#: What is not the variance of a share at a given share: its words, with its unit.
_SPREADS: Final = {
    "mean": "of a mean by the coins, where it is largest: {:.4g} squared ranges",
    "any_share": "of the share that is told worst, over all populations: {:.4g}",
    "component": "of the mean of a component by the coins: {:.4g} squared norms",
}


def _variance_as_text(spread: dict[str, Any], share: str) -> str:
    for key, words in _SPREADS.items():
        if key in spread:
            return f"n x variance {words.format(spread[key])}"
    for key, words in _OF_POPULATION.items():
        if key in spread:
            return f"n x variance {words.format(share=share, found=spread[key])}"
    return (
        f"n x variance at a share of {share}: {spread['respondents']} for these respondents,"
        f" {spread['population']} for the population"
    )


def _channel_lines(channel: list[list[str]] | None) -> list[str]:
    if channel is None:
        return ["The channel is too large to list."]
    columns = ["answer", *(f"report {place}" for place in range(len(channel[0])))][: _SHOWN + 1]
    rows = [
        dict(zip(columns, [str(answer), *row], strict=False))
        for answer, row in enumerate(channel[:_SHOWN])
    ]
    whole = len(channel) <= _SHOWN and len(channel[0]) <= _SHOWN
    return [table(rows, columns), *([] if whole else ["... --json prints the whole channel"])]
