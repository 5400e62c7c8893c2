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
from tossup.server.results.joint.stored import check_joint, find_joint
from tossup.server.store.records import SurveyRecord
from tossup.server.version import product_version
from tossup.server.web.access import published_or_signed_in
from tossup.server.web.answers import Asked, maker
from tossup.server.web.pages import joint_table
from tossup.server.web.pages.asking import (
    answered,
    asked_for,
    check_filters,
    filters_given,
    page,
    two_of,
)
from tossup.server.web.pages.figures import coin_grid, coins, export, trend
from tossup.server.web.pages.joint_table import Block, Figure, JointView, joint_view, plain_label
from tossup.server.web.pages.measured_table import MeasuredRow, statistic_name
from tossup.server.web.pages.page import QuestionView, Row, question_views
from tossup.server.web.pages.templating import as_of_day
from tossup.server.web.pages.words import verdicts
from tossup.server.web.pages.words.language import current_language, gettext, localized
from tossup.server.web.pages.words.numbers import day, measured, number, percent, plain
from tossup.server.web.pages.words.sentences import ends
from tossup.server.web.results_api import answer, found
from tossup.server.web.services import services
from tossup.shared.survey import Survey

#: Names the figure in what is asked; no filter has a colon.
_FIGURE: Final = "figure:of"
_PARTS: Final = ("estimates", "trend")


def install(blueprint: Blueprint) -> None:
    """Add the routes."""
    blueprint.get("/surveys/<survey_id>/methods")(methods)
    blueprint.get("/surveys/<survey_id>/figures/<question_id>.<int:version>.<part>.svg")(figure)
    blueprint.get("/surveys/<survey_id>/joint.svg")(joint_figure)


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
        today=services().store.today(),
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
    return _sent(made)


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
            draw = _estimates if part == "estimates" else _trends
            drawn = draw(view, results, _when(asked))
            return str(drawn).encode() if drawn else b""
    return b""


@published_or_signed_in
def joint_figure(survey_id: str) -> Response:
    """Send two questions together as SVG: the two that are chosen, or else the first two."""
    record = services().store.survey(survey_id)
    names, filters = two_of(record, filters_given())
    if not all(names):
        abort(HTTPStatus.NOT_FOUND)
    check_joint(services().store, record, names, filters)
    made = answer(asked_for("joint-figure", record, current_language()), record).body
    return _sent(made)


@maker("joint-figure")
def make_joint_figure(asked: Asked, record: SurveyRecord) -> bytes:
    """Make the figure of two questions; nothing where reports are too few."""
    g.language = asked.language
    found_ = find_joint(services().store, record, *two_of(record, dict(asked.query)))
    if found_.suppressed:
        return b""
    return str(_together(joint_view(found_), record.survey, _when(asked))).encode()


def _sent(figure: bytes) -> Response:
    if not figure:
        abort(HTTPStatus.NOT_FOUND)
    return Response(figure, content_type="image/svg+xml; charset=utf-8")


def _estimates(view: QuestionView, results: Results, when: str) -> Markup | None:
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
    canvas.rows(lines, scale, labels, _heads(results.confidence))
    _source(canvas, results.survey, view.result.n, results.confidence, when)
    return canvas.svg(title)


def _trends(view: QuestionView, results: Results, when: str) -> Markup | None:
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
    _source(canvas, results.survey, view.result.n, results.confidence, when)
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
) -> tuple[list[export.DrawnLine], Scale, Sequence[tuple[float, object]]]:
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


def _name(row: MeasuredRow) -> str:
    if row.label:
        return localized(row.label)[0]
    estimate = row.estimate
    return statistic_name(estimate.statistic) if isinstance(estimate, NumberEstimate) else ""


def _line(
    name: str, row: Row | MeasuredRow, write: Callable[[float, float], str]
) -> export.DrawnLine:
    estimate = row.estimate
    if estimate is None:
        raise LookupError("a row of a figure has an estimate")
    value, interval = write(estimate.value, estimate.interval.width), ends(estimate.interval, write)
    return export.DrawnLine(name, row.strip, value, interval, number(estimate.n))


def _heads(confidence: float) -> tuple[str, str, str]:
    interval = gettext("%(confidence)s interval", confidence=plain(100 * confidence) + "%")
    return gettext("Estimate"), interval, gettext("Reports (n)")


def _together(view: JointView, survey: Survey, when: str) -> Markup:
    """Return what a page says of two questions, its grid of coins, and a row a coin."""
    title = " × ".join(localized(question.text)[0] for question in view.result.questions)
    canvas = export.Canvas()
    canvas.text(title, 20, bold=True)
    canvas.gap(6)
    canvas.text(joint_table.in_words(view.result), 16)
    if alarm := joint_table.few(view.result):
        canvas.text(alarm)
    canvas.gap()
    canvas.picture(view.grid, coin_grid.height(len(view.blocks), len(view.heads)))
    canvas.text(joint_table.how_to_read(), 12, "muted")
    for block in view.blocks:
        _block(canvas, block, view)
    _source(canvas, survey, view.result.n, view.result.confidence, when)
    return canvas.svg(title)


def _block(canvas: export.Canvas, block: Block, view: JointView) -> None:
    """Write the rows of those with one answer to the first question."""
    canvas.gap()
    given = gettext("Among those who answer: %(answer)s", answer=plain_label(block.label))
    width = block.share.interval.width
    share = gettext(
        "(%(share)s of all, %(low)s to %(high)s)",
        share=percent(block.share.value, width),
        low=percent(block.share.interval.low, width),
        high=percent(block.share.interval.high, width),
    )
    canvas.text(f"{given} {share}", 14, bold=True)
    canvas.gap()
    heads = _heads(view.result.confidence)
    lines = [_pair(at, figure, view) for at, figure in enumerate(block.figures, 1)]
    canvas.rows(lines, view.scale, view.scale.labels, heads)


def _pair(at: int, figure: Figure, view: JointView) -> export.DrawnLine:
    """Return the row of a coin, with the number of its column where columns are numbered."""
    label, n = plain_label(figure.label), number(figure.cell.n)
    name = label if joint_table.is_named(view) else f"{at}. {label}"
    if figure.among is None:
        return export.DrawnLine(name, None, "", gettext("too few to tell"), n)
    among = figure.among
    value = percent(among.value, among.interval.width)
    return export.DrawnLine(name, view.strip(among), value, ends(among.interval), n)


def _when(asked: Asked) -> str:
    """Return when a figure is made: by the minute where it may have been a while ago."""
    if asked.as_of is None:
        return day(services().store.today())
    return gettext("%(day)s, %(time)s UTC", day=as_of_day(asked.as_of), time=asked.as_of[11:16])


def _source(canvas: export.Canvas, survey: Survey, n: int, confidence: float, when: str) -> None:
    """Write where a figure comes from."""
    canvas.gap(20)
    words = gettext(
        "%(survey)s, %(publisher)s. %(n)s randomized reports, estimated with Tossup on %(day)s."
        " Intervals are of %(confidence)s, each on its own.",
        survey=localized(survey.title)[0],
        publisher=survey.publisher.name,
        n=number(n),
        day=when,
        confidence=plain(100 * confidence) + "%",
    )
    canvas.text(words, 12, "muted")
