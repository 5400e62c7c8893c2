"""What authors are told of a survey: before it is published, and when it is."""

import sys
from decimal import Decimal
from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING, Any

import click

from tossup.server.cli.authoring.promises import cost_as_text
from tossup.server.cli.output import Number, note

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tossup.shared.survey import Attribute, Question, Survey

explain_option: "Callable[[Any], Any]" = click.option(
    "--explain", is_flag=True,
    help="Tell what every answer costs, all together by every bound, and why these coins.",
)  # fmt: skip
slack_option: "Callable[[Any], Any]" = click.option(
    "--slack", type=Number(Decimal), default="1e-6", show_default=True,
    help="Delta that bounds on all answers together may add; at 0, epsilons only add up.",
)  # fmt: skip
mixed_option: "Callable[[Any], Any]" = click.option(
    "--mixed", type=click.IntRange(1, 10**9), default=10_000, show_default=True, metavar="REPORTS",
    help="How many reports are mixed, for the figure that trusts whoever mixes them.",
)  # fmt: skip


def check_slack(slack: Decimal) -> None:
    """Refuse a slack that is no probability, as wrong usage."""
    from tossup.server.accounting.rounding import checked_probability
    from tossup.shared.errors import AccountingError

    try:
        checked_probability(slack, "--slack")
    except AccountingError as error:
        raise click.UsageError(str(error)) from error


def note_explained(cost: "Mapping[str, Any]", why: "Mapping[str, str]") -> None:
    """Tell on standard error what answers cost, by every bound, and why these coins are used."""
    note(cost_as_text(cost))
    for question, reason in why.items():
        note(f"{question}: {reason}.")


def note_created(made: "Survey", link: str, done: str) -> None:
    """Tell on standard error what respondents learn and what comes next.

    On a terminal with the link as a code to scan.
    """
    from tossup.server.results.minimum import minimum_for
    from tossup.server.surveys.publishing.browsers import kept_from_browsers
    from tossup.shared.odds import promise_as_text

    together = promise_as_text(made.odds, made.delta)
    needed = [minimum_for(question, made) for question in made.questions]
    reports = f"{min(needed)} to {max(needed)}" if len(set(needed)) > 1 else f"{needed[0]}"
    note(
        f"{done}: {made.id}, version {made.version}. Respondents get to know who asks and why, what"
        f" can be sent, and that all of it together moves anyone's odds by at most {together}."
    )
    dear = _beyond_cap(made)
    cap = f" --question-cap {ceil(max(dear.values()))}" if dear else ""
    if sys.stderr.isatty():
        from tossup.server.surveys.link import as_blocks

        note(as_blocks(link))
    poster = f"{link.partition('#')[0]}/poster"
    kept = kept_from_browsers(made)
    pages = "" if kept else f"They open the link in a browser, or scan it from {poster}; or answer"
    note(f"{pages or 'They answer'} in a terminal: tossup answer '{link}'{cap}")
    note(f"Then, from {reports} reports to a question on: tossup estimate {made.id}")


def labels(survey: "Survey") -> dict[str, dict[str, str]]:
    """Return the labels of all options by their ids, by question or attribute, in one language."""
    language = survey.languages[0]
    parts: tuple[Question | Attribute, ...] = (*survey.questions, *survey.asked_attributes)
    return {p.id: {o.id: o.label[language] for o in p.options} for p in parts if p.options}


def cautions(survey: "Survey") -> list[str]:
    """Return what the publisher may not have meant, and what any publisher can learn."""
    from tossup.server.clock import today
    from tossup.server.kinds.needed import minimum_batch
    from tossup.server.surveys.file import DEVICE_CAP
    from tossup.shared.mechanisms.binary.majority import what_a_cap_lets_learn

    found = [*_ids_by_place(survey), *_refused_by_devices(survey), *_refused_by_pages(survey)]
    day = today()
    if survey.closes is not None and survey.closes < day:
        until = survey.counts_until
        late = f" What was tossed in time counts until {until}." if until and until >= day else ""
        found.append(f"Note: it closed on {survey.closes}, which is past: nobody can answer.{late}")
    usual = minimum_batch(question.mechanism for question in survey.questions)
    if survey.results == "public" and survey.minimum_batch < usual:
        found.append(
            f"Note: anyone can see estimates from {survey.minimum_batch} reports on; below {usual}"
            " their intervals are wider than 20 points either way, and say little."
            " (The coins protect as always; minimum_batch protects nobody.)"
        )
    found.append(f"For life, {what_a_cap_lets_learn(DEVICE_CAP)}.")
    return found


def _beyond_cap(survey: "Survey") -> dict[str, Fraction]:
    """Return what questions cost that devices refuse unless their app allows it."""
    from tossup.server.surveys.file import QUESTION_CAP

    costs = {question.id: survey.cost(question) for question in survey.questions}
    return {name: cost for name, cost in costs.items() if cost > QUESTION_CAP}


def _refused_by_devices(survey: "Survey") -> list[str]:
    """Return a line on the questions that devices refuse unless their app allows it."""
    from tossup.server.surveys.file import QUESTION_CAP

    dear = _beyond_cap(survey)
    if not dear:
        return []
    cost = ceil(max(dear.values()))
    return [
        f"Note: above the {QUESTION_CAP}:1 that devices allow one question: {', '.join(dear)}."
        f" Every app that asks must set Client(..., question_cap={cost})."
    ]


def _refused_by_pages(survey: "Survey") -> list[str]:
    """Return a line on the questions that keep the respondents' page from asking anything."""
    from tossup.server.surveys.publishing.browsers import kept_from_browsers

    kept = kept_from_browsers(survey)
    if not kept:
        return []
    lacking = [name for name, obstacle in kept.items() if obstacle == "coins"]
    why = f"no browser has the coins of {', '.join(lacking)}" if lacking else "they are too dear"
    return [
        f"Note: the page for respondents asks nothing of this survey, because of {', '.join(kept)}:"
        f" {why}. Take these into a survey of their own if people are to answer the rest in pages."
    ]


def _ids_by_place(survey: "Survey") -> list[str]:
    """Return a line for each question whose options have ids that their labels do not tell."""
    from tossup.server.surveys.labels import is_less_than_its_label, is_made_by_place

    lines = []
    for part, options in labels(survey).items():
        ids = [
            f"{name} = {label}"
            for name, label in options.items()
            if is_made_by_place(name) or is_less_than_its_label(name, label)
        ]
        shown = [*ids[:8], f"and {len(ids) - 8} more"] if len(ids) > 9 else ids
        if ids:
            lines.append(f"Ids of {part}: {', '.join(shown)}.")
    return lines
