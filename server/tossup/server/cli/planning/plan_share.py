"""``tossup plan`` of a yes/no question: how exact its share will be, or how many must answer."""

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tossup.server.cli.output import emit, note, points, table

if TYPE_CHECKING:
    from tossup.server.planning.compare import Way


@dataclass(frozen=True, slots=True)
class Goal:
    """What is asked for; one of the first five, or two demands on one figure.

    Attributes
    ----------
    n
        How many respondents.
    margin
        How far off the population's share may be, from 0 to 1.
    tell
        A share that a test should tell from another one.
    versus
        The shares of two groups that a test should tell apart.
    cheating
        The share who always say no, which a survey of two designs should tell from none.
    power
        Of the test.
    share
        The share expected; None for one half.
    confidence
        Of the margins; a test is at 1 less this.
    """

    n: int | None
    margin: float | None
    tell: tuple[float, float] | None
    versus: tuple[float, float] | None
    cheating: float | None
    power: float
    share: float | None
    confidence: float


def show_share(
    goal: Goal,
    used: Fraction,
    groups: int | None,
    questions: int | None,
    delta: float,
    *,
    central: bool,
    as_json: bool,
) -> None:
    """Print the plan of a yes/no question under symmetric coins.

    Parameters
    ----------
    goal
        What is asked for.
    used
        The odds of the question.
    groups
        How many have the same n each, if several.
    questions
        Among how many the odds of a survey were shared, if they were.
    delta
        What a curator may add.
    central
        Whether a trusted curator stands beside it.
    as_json
        Whether programs read it.
    """
    from tossup.server.planning.compare import compare, design_effect, local
    from tossup.shared.odds import epsilon as epsilon_of

    people, confidence = goal.n or _respondents(used, goal), goal.confidence
    ways = compare(used, people, delta, confidence) if central else None
    ways = ways or (local(used, people, confidence),)
    share = 0.5 if goal.share is None else goal.share
    effect = design_effect(used, share)
    cheating = None if goal.cheating is None else _cheating(goal, used, people)
    value = {
        "n": people,
        "odds": str(used),
        "epsilon": float(epsilon_of(used)),
        "confidence": confidence,
        **({"power": goal.power} if goal.tell or goal.versus else {}),
        **({"cheating": cheating} if cheating else {}),
        **({"groups": groups, "n_in_all": groups * people} if groups else {}),
        **({"questions": questions} if questions else {}),
        "direct": {"share": share, "design_effect": effect, "worth": people / effect},
        "ways": [way.to_json() for way in ways],
    }
    told = [_cheating_as_text(cheating)] if cheating else []
    emit(
        value,
        "\n\n".join([*told, _as_text(ways, people, groups, central=central)]),
        as_json=as_json,
    )
    if as_json:
        return
    each = f" in each of {groups} groups, {groups * people} in all" if groups else ""
    each = each or (" in each group" if goal.versus else "")
    of_each = f" for each of {questions} questions" if questions else ""
    note(
        f"{people} respondents{each}, odds {used}{of_each},"
        f" epsilon {epsilon_of(used)}, {100 * confidence:g} % confidence;"
        " the population's margin at a share of one half."
    )
    note(
        f"{people} randomized answers tell as much as {_worth(people / effect)} direct ones"
        f" (design effect {effect:.2f} at a share of {share:g})."
    )
    _name_the_trusted(ways)


def _worth(direct: float) -> str:
    """Return how many direct answers tell as much: whole ones, but of fewer than ten."""
    return f"{direct:.0f}" if direct >= 10 else f"{direct:.2g}"


def _respondents(odds: Fraction, goal: Goal) -> int:
    """Return how many respondents the one goal that was given needs."""
    from tossup.server.planning import sample_size

    design, level = sample_size.symmetric(odds), 1 - goal.confidence
    if goal.tell is not None:
        share, against = goal.tell
        return sample_size.respondents_for_power(
            design, share, goal.power, against=against, level=level
        )
    if goal.versus is not None:
        return sample_size.respondents_per_group(design, *goal.versus, goal.power, level=level)
    if goal.cheating is not None:
        from tossup.server.planning.cheating import respondents

        return respondents(odds, _honest(goal), goal.cheating, goal.power, level)
    share = 0.5 if goal.share is None else goal.share
    return sample_size.respondents_for_margin(design, goal.margin or 0.0, goal.confidence, share)


def _honest(goal: Goal) -> float:
    """Return the share of honest yes expected beside cheating."""
    if goal.share is not None:
        return goal.share
    return min(0.5, 1 - (goal.cheating or 0.0))


def _cheating(goal: Goal, odds: Fraction, n: int) -> dict[str, object]:
    """Return the power of a survey of two designs, before anything else of it."""
    from tossup.server.planning import cheating

    share, wanted = _honest(goal), goal.cheating or 0.0
    return {
        "power": cheating.power(odds, share, wanted, n, 1 - goal.confidence),
        "cheating": wanted,
        "honest_yes": share,
        "standard_error": cheating.standard_error(odds, share, wanted, n),
        "designs": [[str(rate) for rate in rates] for rates in cheating.halves(odds)],
    }


def _cheating_as_text(found: dict[str, Any]) -> str:
    (q1, p1), (q2, p2) = found["designs"]
    return (
        f"power {found['power']:.2f} to tell {100 * found['cheating']:g} % who always say no from"
        f" none (standard error {100 * found['standard_error']:.1f} points), with half of them"
        f" under Pr[yes | no] = {q1}, Pr[yes | yes] = {p1} and half under {q2}, {p2}.\n"
        "Of coins in people's hands: a device tosses after the answer, so that who denies is like"
        " who has a no."
    )


def _as_text(ways: "tuple[Way, ...]", people: int, groups: int | None, *, central: bool) -> str:
    rows = [
        {
            "respondents": people,
            **({"in all groups": groups * people} if groups else {}),
            "model": way.model,
            "mechanism": way.mechanism,
            "delta": f"{way.delta:g}",
            "these respondents": f"± {points(way.margin_respondents)}",
            "population": f"± {points(way.margin_population)}",
            **({"needed": way.respondents} if central else {}),
        }
        for way in ways
    ]
    text = table(rows, list(rows[0]))
    needed = "Needed: as many respondents as reach the local way's margin for the population."
    return f"{text}\n{needed}" if central else text


def _name_the_trusted(ways: "tuple[Way, ...]") -> None:
    for model, trusts in dict.fromkeys((way.model, way.trusts) for way in ways):
        note(f"{model}: trusts {trusts}.")
