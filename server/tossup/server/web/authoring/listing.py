"""The list of surveys and drafts: where everything begins, and how everything stands."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from flask import Blueprint, g, render_template, request
from markupsafe import Markup

from tossup.server.store.base import Store
from tossup.server.store.drafts import Draft
from tossup.server.surveys import lifecycle
from tossup.server.web.access import may, require
from tossup.server.web.authoring import price
from tossup.server.web.authoring.checking import parts, read, title_of
from tossup.server.web.pages.overview import Standing, standing
from tossup.server.web.pages.views import first_finding
from tossup.server.web.pages.words.language import localized
from tossup.server.web.services import services

#: Days that the bars of every survey stand for, so that rows can be compared.
DAYS: Final = 30
#: Search is offered where a list is longer than a screen.
_MANY: Final = 8


@dataclass(frozen=True, slots=True)
class Row:
    """A survey in the list.

    Attributes
    ----------
    standing
        How it stands.
    people
        How many answered, where that can be known.
    bars
        Reports of each of the last days, as parts of 100 of the day with most.
    recent
        Reports of all these days.
    finding
        What its first question found, as a page's row says it; empty while it is worked out.
    """

    standing: Standing
    people: int | None
    bars: tuple[int, ...]
    recent: int
    finding: Markup


@dataclass(frozen=True, slots=True)
class DraftRow:
    """A draft in the list: its title, how many questions, and people for 5 points if known."""

    draft: Draft
    title: str
    questions: int
    needed: int | None


def install(blueprint: Blueprint) -> None:
    """Add the list, under the name by which all pages link to it."""
    blueprint.record_once(lambda state: state.app.add_url_rule("/", "dashboard.surveys", surveys))


@require("viewer")
def surveys() -> str:
    """Show all surveys, to analysts drafts too; those whose title has the words looked for.

    Those that are damaged have no title any more, and are named.
    """
    store, wanted = services().store, request.args.get("find", "").strip().lower()
    records, damaged = lifecycle.listed(store)
    writes, reads = may(g.caller, "owner"), may(g.caller, "analyst")
    unpublished = [each for each in store.drafts() if each.published is None] if reads else []
    drafts = [_draft_row(each) for each in unpublished]
    rows = [_row(store, standing(store, record, store.today())) for record in records]
    total = len(rows) + len(drafts) + len(damaged)
    return render_template(
        "authoring/list.html",
        rows=[row for row in rows if _fits(wanted, _titles(row))],
        drafts=[row for row in reversed(drafts) if _fits(wanted, [row.title])],
        damaged=damaged,
        total=total,
        writes=writes,
        is_long=total >= _MANY or bool(wanted),
        wanted=request.args.get("find", ""),
        jump=services().retention.jump(),
    )


def _row(store: Store, found: Standing) -> Row:
    survey, first = found.record.survey, store.today() - timedelta(DAYS - 1)
    counted = store.reports_by_day(survey.id, first)
    most = max(counted.values(), default=0)
    each = [counted.get(first + timedelta(place), 0) for place in range(DAYS)]
    bars = tuple(-(-100 * n // most) if most else 0 for n in each)
    people = lifecycle.respondents(store, found.record)
    return Row(found, people, bars, sum(each), first_finding(found.record))


def _draft_row(draft: Draft) -> DraftRow:
    table = read(draft.text)
    return DraftRow(draft, title_of(table), len(parts(table, "questions")), price.dearest(table))


def _titles(row: Row) -> list[str]:
    survey = row.standing.record.survey
    return [survey.id, localized(survey.title)[0], *survey.title.values()]


def _fits(wanted: str, texts: Iterable[str]) -> bool:
    return not wanted or any(wanted in text.lower() for text in texts)
