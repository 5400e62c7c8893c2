"""``tossup plan SURVEY.toml``: how many must answer the questions of a file."""

from collections.abc import Sequence
from typing import IO, TYPE_CHECKING

import click

from tossup.server.cli.authoring.survey_file import read_survey, read_text
from tossup.server.cli.output import emit, note, points, table
from tossup.shared.figures import brief

if TYPE_CHECKING:
    from tossup.server.planning.whole_survey import QuestionPlan
    from tossup.shared.survey import Attribute, Survey


def show_survey(
    file: IO[bytes], n: int | None, margin: float | None, confidence: float, *, as_json: bool
) -> None:
    """Print what every question of a survey file needs for a margin, or gives with n respondents.

    Raises
    ------
    click.UsageError
        Unless one of n and margin is given.
    """
    from tossup.server.planning.whole_survey import for_margin, for_respondents

    if (n is None) == (margin is None):
        raise click.UsageError("with a survey file give --margin, such as --margin 0.05, or --n")
    survey = read_survey(read_text(file), bytes(32))
    plans = (
        for_margin(survey, margin, confidence)
        if margin is not None
        else for_respondents(survey, n or 1, confidence)
    )
    most = max(plan.respondents for plan in plans)
    value = {
        "respondents": most,
        "confidence": confidence,
        "questions": [_as_json(plan, survey) for plan in plans],
    }
    emit(value, _as_text(plans, survey), as_json=as_json)
    if not as_json:
        _explain(survey, most, confidence, wanted=margin)


def _as_json(plan: "QuestionPlan", survey: "Survey") -> dict[str, object]:
    groups = {group.id: plan.respondents * len(group.options) for group in survey.asked_attributes}
    return plan.to_json() | ({"respondents_by_group": groups} if groups else {})


def _as_text(plans: "Sequence[QuestionPlan]", survey: "Survey") -> str:
    rows = [
        {
            "respondents": plan.respondents,
            **{
                _by(group): plan.respondents * len(group.options)
                for group in survey.asked_attributes
            },
            "question": plan.question,
            "estimate": plan.of,
            "margin": _margin(plan),
            "odds": brief(plan.odds),
        }
        for plan in plans
    ]
    return table(rows, list(rows[0]))


def _by(group: "Attribute") -> str:
    return f"by {group.id}"


def _margin(plan: "QuestionPlan") -> str:
    """Return a margin in points, of a number in its own unit as well."""
    if plan.range is None:
        return f"± {points(plan.margin)}"
    return f"± {plan.margin * float(plan.range):.3g} of {float(plan.range):g}"


def _explain(survey: "Survey", most: int, confidence: float, wanted: float | None) -> None:
    told = "for a margin at most as wide as shown" if wanted is not None else "with these margins"
    who = "1 respondent answers" if most == 1 else f"{most} respondents answer"
    note(f"{who} every question {told}, at {100 * confidence:g} % confidence and whatever is true.")
    for group in survey.asked_attributes:
        note(
            f"by {group.id}: respondents for as narrow a margin in each of {len(group.options)}"
            " groups of equal size."
        )
    waves = survey.waves
    if waves and waves.times is not None:
        note(
            f"Each device answers in {waves.times} of {waves.count} waves; the margin is that of"
            " one wave."
        )
