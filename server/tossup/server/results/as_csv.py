"""Results as CSV: one row for each answer of each slice, codes and labels in their own columns.

RFC 4180, to be written as UTF-8: for Excel with a byte order mark, or it takes letters beyond
ASCII for others. A spreadsheet runs a text that begins with a sign as a formula;
such texts get an apostrophe in front. Numbers stay numbers, negative ones too.
"""

import csv
from collections.abc import Iterator, Sequence
from fractions import Fraction
from io import StringIO

from tossup.server.kinds import kind_of
from tossup.server.kinds.told.base import ToldLine
from tossup.server.results.changes import WaveChange
from tossup.server.results.slices import Slice
from tossup.server.results.values import QuestionResult, Results
from tossup.server.results.wordings import Wording, pooled_wordings, reworded
from tossup.shared.figures import in_full
from tossup.shared.mechanisms.base import Channel
from tossup.shared.odds import epsilon
from tossup.shared.survey import WAVE, Attribute

#: Columns, in order. ``unit`` is what a number counts, as the survey says. ``named_otherwise`` and
#: ``named`` are q and p: how likely a report names the answer without and with it being the truth;
#: for an order of options, ranked last and ranked first, and ``value`` is mean points from 0 to 1.
#: They are empty for choices by score, for numbers of red cards and for an unrelated question.
#: ``reports`` counts those that name it; ``n`` all, or where a report asks some of several options
#: those that ask it. Where ``suppressed`` is ``true``, ``rests_on`` is below ``minimum``, and
#: ``reports`` and the columns from ``value`` on are empty but for it and ``wave``. ``rests_on`` is
#: how many reports tell of the answer: ``n``, of texts those of the last level, of two statements
#: as many as equal samples would need. ``day`` is empty but for a day's rows, ``attribute`` and
#: ``option`` but for a group's. ``answer`` is an option's id, the name of a number's statistic, or
#: a text that was found; it is empty where `OTHER_TEXT` or `REST` is the label. In a survey with
#: waves a row of a wave has the change since the wave ``change_from`` and its interval; all other
#: rows are of the wave ``wave``. In rows of all reports to a choice ``leader`` is the answer with
#: the largest estimate and ``lead`` that estimate less the row's own, with an interval that holds
#: together with those of all pairs of answers: the two are not told apart where it holds 0.
#: ``possible_share`` is a view and no estimate, without an interval: the nearest shares that are
#: not negative and sum to 1. ``not_told_yet`` is ``true`` for a variance or a quantile that more
#: reports would tell; it has no ``value``. ``wordings`` counts the wordings of the question that
#: the estimates add up; the older of them are in ``earlier_wordings``, with versions, days and
#: reports, and of attributes in a group's rows.
COLUMNS = (
    *(
        "survey",
        "versions",
        "wordings",
        "earlier_wordings",
        "question",
        "question_text",
        "unit",
        "mechanism",
        "odds",
    ),
    *("epsilon", "delta", "answer", "answer_label", "named_otherwise", "named"),
    *("day", "attribute", "attribute_text"),
    *("option", "option_label", "n", "minimum", "suppressed", "reports", "value"),
    *("standard_error", "low", "high", "confidence", "method"),
    *("population_standard_error", "respondents_standard_error"),
    *("shown_value", "shown_low", "shown_high", "shown_method", "wave"),
    *("change_from", "change", "change_standard_error", "change_low", "change_high"),
    *("change_method", "leader", "lead", "lead_low", "lead_high", "lead_method"),
    *("possible_share", "rests_on", "not_told_yet"),
)

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")

Row = dict[str, object]


def results_to_csv(results: Results, language: str | None = None) -> str:
    """Return results as CSV text, with labels in one of the survey's languages (the first)."""
    language = language or results.survey.languages[0]
    text = StringIO(newline="")
    writer = csv.DictWriter(text, COLUMNS, restval="")
    writer.writeheader()
    for result in results.questions:
        codebook = _codebook(results, result, language)
        changes: dict[tuple[object, object], Row] = {
            (found.later, found.answer): _change(found) for found in result.changes
        }
        for part in result.slices:
            of_wave = part.attribute == WAVE
            worded = _wordings(results, result, part, language)
            wave: Row = {"wave": part.option if of_wave else results.wave} if result.waves else {}
            for row in _rows(result, part, results.attributes, language):
                change = changes.get((part.option, row["answer"]), {}) if of_wave else {}
                whole = codebook | worded | wave | row | change
                writer.writerow({name: _cell(value) for name, value in whole.items()})
    return text.getvalue()


def _change(found: WaveChange) -> Row:
    change = found.change
    return {
        "change_from": found.earlier,
        "change": change.value,
        "change_standard_error": change.standard_error,
        "change_low": change.interval.low,
        "change_high": change.interval.high,
        "change_method": change.interval.method,
    }


def _codebook(results: Results, result: QuestionResult, language: str) -> Row:
    question, mechanism = result.question, result.question.mechanism
    return {
        "survey": results.survey.id,
        "versions": " ".join(str(version) for version in result.versions),
        "question": question.id,
        "question_text": question.text.get(language, ""),
        "unit": (question.unit or {}).get(language, ""),
        "mechanism": mechanism.name,
        "odds": _ratio(mechanism.odds, "to"),
        "epsilon": epsilon(mechanism.odds),
        "delta": _ratio(mechanism.delta, "in"),
    }


def _wordings(results: Results, result: QuestionResult, part: Slice, language: str) -> Row:
    """Return how many wordings of the question are added up, and the earlier ones in words."""
    own = pooled_wordings(result.wordings)
    public = pooled_wordings(results.wordings[part.attribute]) if part.attribute else ()
    earlier = [line for pool in (own, public) for line in _earlier(pool, language)]
    return {"wordings": len(own) or 1, "earlier_wordings": "; ".join(earlier)}


def _earlier(pool: Sequence[Wording], language: str) -> Iterator[str]:
    for wording in pool[1:]:
        versions = " ".join(str(version) for version in wording.versions)
        labels = [
            f'{own.id} "{own.label.get(language, "")}"' for own, _ in reworded(wording, pool[0])
        ]
        told = ", ".join([f'"{wording.text.get(language, "")}"', *labels])
        days = f"{wording.first_day} to {wording.last_day}"
        yield f"version {versions}, {days}, {wording.n} reports: {told}"


def _rows(
    result: QuestionResult, part: Slice, attributes: tuple[Attribute, ...], language: str
) -> Iterator[Row]:
    kind, told, question = kind_of(part.question), part.told, part.question
    lines = [*result.lines(part), *told.entries, *(told.more_lines if part is result.total else ())]
    figures = [(line.answer, _columns(line)) for line in lines]
    figures += [(name, {"not_told_yet": True}) for name in told.waiting]
    compared = told.compared if part is result.total else {}
    figures = [(answer, row | compared.get(answer, {})) for answer, row in figures]
    place = _place(part, attributes, language)
    listed = kind.answers(question, language)
    if not listed:
        for answer, row in figures or [(kind.unnamed, {})]:
            yield {"answer": answer, "answer_label": "", **place, **_reports(part, answer), **row}
        return
    by_answer, chances = dict(figures), _chances(kind.naming(question.mechanism))
    for at, (answer, label) in enumerate(listed):
        chance = chances[at] if chances else {}
        row = {"answer": answer, "answer_label": label, **chance, **place}
        yield row | _reports(part, answer) | by_answer.get(answer, {})


def _columns(line: ToldLine) -> Row:
    """Return the figures of a line that are columns; ``answer`` is what it is of."""
    row = {name: value for name, value in line.figures.items() if name in COLUMNS}
    return row | ({"answer": line.answer, "answer_label": line.label} if line.label else {})


def _reports(part: Slice, answer: str) -> Row:
    """Return how many reports there are, how many tell of an answer, and whether that is enough."""
    few = part.too_few.get(answer)
    estimate = next((e for e in part.estimates if e.answer == answer), None)
    asked = estimate.n if estimate and part.too_few else part.behind
    return {
        "n": part.n if few is None else few,
        "minimum": part.minimum,
        "suppressed": part.suppressed or few is not None,
        "rests_on": asked if few is None else few,
    }


def _chances(channels: Sequence[Channel] | None) -> list[Row]:
    """Return q and p of every answer; none where reports say something of every answer."""
    return [
        {"named_otherwise": _ratio(without, "in"), "named": _ratio(with_it, "in")}
        for (_, without), (_, with_it) in channels or ()
    ]


def _ratio(ratio: Fraction, word: str) -> str:
    # A spreadsheet would read 5/2 as a day of February.
    return f"{in_full(ratio.numerator)} {word} {in_full(ratio.denominator)}"


def _place(part: Slice, attributes: tuple[Attribute, ...], language: str) -> Row:
    """Return the columns that say which day or group a slice is of."""
    place: Row = {"day": part.day.isoformat()} if part.day else {}
    for attribute in attributes:
        if attribute.id == part.attribute:
            labels = {option.id: option.label.get(language, "") for option in attribute.options}
            place |= {"attribute": attribute.id, "attribute_text": attribute.text.get(language, "")}
            place |= {"option": part.option, "option_label": labels[part.option or ""]}
    return place


def _cell(value: object) -> object:
    """Return a value as a spreadsheet may read it without running it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str) and value.startswith(_FORMULA_STARTS):
        return f"'{value}"
    return value
