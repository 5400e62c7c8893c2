"""What readers take along: figures as files, a citation, methods, and lines that give the numbers.

PNG is drawn by the browser from the SVG; see ``static/figures.js``.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from http import HTTPStatus
from typing import Final

from flask import Blueprint, Response, abort, g, render_template
from markupsafe import Markup

from tossup.server.estimation import NumberEstimate
from tossup.server.estimation.telling.strips import Scale
from tossup.server.results import Results
from tossup.server.store.base import SurveyRecord
from tossup.server.version import product_version
from tossup.server.web.access import published_or_signed_in
from tossup.server.web.answers import Asked, maker
from tossup.server.web.pages.asking import answered, check_filters, page
from tossup.server.web.pages.figures import coins, export, trend
from tossup.server.web.pages.number_table import NumberRow, statistic_name
from tossup.server.web.pages.page import QuestionView, Row, question_views
from tossup.server.web.pages.templating import today
from tossup.server.web.pages.vector_table import EntryRow
from tossup.server.web.pages.words import verdicts
from tossup.server.web.pages.words.language import current_language, gettext, localized
from tossup.server.web.pages.words.numbers import day, measured, number, percent, plain
from tossup.server.web.results_api import found
from tossup.server.web.services import services

#: Names the figure in what is asked; no filter has a colon.
_FIGURE: Final = "figure:of"
_PARTS: Final = ("estimates", "trend")


def install(blueprint: Blueprint) -> None:
    """Add the routes."""
    blueprint.get("/surveys/<survey_id>/methods")(methods)
    blueprint.get("/surveys/<survey_id>/figures/<question_id>.<int:version>.<part>.svg")(figure)


@published_or_signed_in
def methods(survey_id: str) -> bytes:
    """Show how to cite a survey, what a methods section says, and lines that give the numbers."""
    record = services().store.survey(survey_id)
    check_filters(record)
    return page("methods", record, "methods-page")


@maker("methods-page")
def make_methods_page(asked: Asked, record: SurveyRecord) -> bytes:
    """Make what the page of methods says."""
    g.language = asked.language
    results = found(asked, record)
    return render_template(
        "dashboard/_methods.html",
        results=results,
        views=question_views(results),
        today=today(),
        version=product_version(),
        query=dict(asked.query),
    ).encode()


@published_or_signed_in
def figure(survey_id: str, question_id: str, version: int, part: str) -> Response:
    """Send a figure of a question as SVG."""
    if part not in _PARTS:
        abort(HTTPStatus.NOT_FOUND)
    record = services().store.survey(survey_id)
    wanted = {_FIGURE: f"{question_id}.{version}.{part}"}
    made = answered("figure", record, current_language(), wanted).body
    if not made:
        abort(HTTPStatus.NOT_FOUND)
    return Response(made, content_type="image/svg+xml; charset=utf-8")


@maker("figure")
def make_figure(asked: Asked, record: SurveyRecord) -> bytes:
    """Make a figure; nothing where there is no such one."""
    g.language = asked.language
    query = dict(asked.query)
    question_id, version, part = query.pop(_FIGURE).split(".")
    results = found(replace(asked, query=tuple(sorted(query.items()))), record)
    for view in question_views(results):
        result = view.result
        if (result.question.id, str(result.versions[-1])) == (question_id, version):
            drawn = _estimates(view, results) if part == "estimates" else _trends(view, results)
            return str(drawn).encode() if drawn else b""
    return b""


def _estimates(view: QuestionView, results: Results) -> Markup | None:
    """Return the finding, its picture, and a row an estimate; None where there are none."""
    result, told = view.result, view.result.total.told
    if result.suppressed or result.possible_under_design is False:
        return None
    title, canvas = localized(result.question.text)[0], export.Canvas()
    canvas.text(title, 20, bold=True)
    if told.finding:
        canvas.gap(6)
        canvas.text(_in_words(view), 16)
        canvas.gap()
        if told.finding.picture == "field":
            canvas.picture(coins.drawn(told.finding), 213)
        elif told.finding.picture == "stack":
            canvas.picture(coins.drawn(told.finding), 240)
        canvas.gap()
    lines, scale, labels = _lines(view)
    if not lines:
        return None
    canvas.rows(lines, scale, labels, _heads(results))
    _source(canvas, view, results)
    return canvas.svg(title)


def _trends(view: QuestionView, results: Results) -> Markup | None:
    """Return the trend of every answer, each under its name."""
    if not view.trends:
        return None
    title, canvas = localized(view.result.question.text)[0], export.Canvas()
    canvas.text(title, 20, bold=True)
    for each in view.trends:
        label = view.label(each.answer)
        if label:
            canvas.text(localized(label)[0], 14, bold=True)
        canvas.gap()
        canvas.picture(trend.svg(each), trend.HEIGHT)
    if any(each.too_few for each in view.trends):
        canvas.text(gettext("○ stands for too few reports."), 12, "muted")
    _source(canvas, view, results)
    return canvas.svg(title)


def _in_words(view: QuestionView) -> str:
    finding = view.result.total.told.finding
    if finding is None:
        raise LookupError("there is no finding")
    label, counts = view.label(finding.answer), view.result.question.unit
    return gettext(
        "%(value)s is the best guess, %(range)s is likely: %(what)s.",
        value=verdicts.figure(finding),
        range=verdicts.span(finding),
        what=verdicts.unit(
            finding,
            localized(label)[0] if label else finding.answer,
            localized(counts)[0] if counts else None,
        ),
    )


def _lines(
    view: QuestionView,
) -> tuple[list[export.Line], Scale, Sequence[tuple[float, object]]]:
    """Return the rows of a question's figure, and what its axis says."""
    table = view.numbers or view.vector
    if table is None:
        rows = [row for row in view.table.largest if row.estimate]
        named = [localized(row.label)[0] if row.label else gettext("Yes") for row in rows]
        made = [_line(name, row, percent) for name, row in zip(named, rows, strict=True)]
        return made, view.scale, view.scale.labels
    shown = [row for row in table.rows if row.estimate and row.strip]
    made = [_line(_name(row), row, measured) for row in shown]
    return made, table.scale, ((0.0, table.low), (1.0, table.high))


def _name(row: NumberRow | EntryRow) -> str:
    if row.label:
        return localized(row.label)[0]
    estimate = row.estimate
    return statistic_name(estimate.statistic) if isinstance(estimate, NumberEstimate) else ""


def _line(name: str, row: Row | NumberRow | EntryRow, write: Callable[[float], str]) -> export.Line:
    estimate = row.estimate
    if estimate is None:
        raise LookupError("a row of a figure has an estimate")
    ends = {"low": write(estimate.interval.low), "high": write(estimate.interval.high)}
    interval = gettext("%(low)s to %(high)s", **ends)
    return export.Line(name, row.strip, write(estimate.value), interval, number(estimate.n))


def _heads(results: Results) -> tuple[str, str, str]:
    confidence = plain(100 * results.confidence) + "%"
    interval = gettext("%(confidence)s interval", confidence=confidence)
    return gettext("Estimate"), interval, gettext("Reports (n)")


def _source(canvas: export.Canvas, view: QuestionView, results: Results) -> None:
    """Write where a figure comes from."""
    canvas.gap(20)
    words = gettext(
        "%(survey)s, %(publisher)s. %(n)s randomized reports, estimated with Tossup on %(day)s."
        " Intervals are of %(confidence)s, each on its own.",
        survey=localized(results.survey.title)[0],
        publisher=results.survey.publisher.name,
        n=number(view.result.n),
        day=day(today()),
        confidence=plain(100 * results.confidence) + "%",
    )
    canvas.text(words, 12, "muted")
