"""Results as CSV: one row for each answer of each slice, codes and labels in their own columns.

RFC 4180, to be written as UTF-8: for Excel with a byte order mark, or it takes letters beyond
ASCII for others. A spreadsheet runs a text that begins with a sign as a formula;
such texts get an apostrophe in front. Numbers stay numbers, negative ones too.
"""

import csv
from collections.abc import Iterator, Sequence
from fractions import Fraction
from io import StringIO

from tossup.server.estimation import named_or_not
from tossup.server.results.as_json import (
    covariance_to_json,
    estimate_to_json,
    mean_to_json,
    number_to_json,
    point_to_json,
    rest_to_json,
    text_to_json,
)
from tossup.server.results.changes import WaveChange
from tossup.server.results.values import QuestionResult, Results, Slice
from tossup.server.results.wordings import Wording, pooled_wordings, reworded
from tossup.shared.figures import in_full
from tossup.shared.kinds.number import Grid
from tossup.shared.kinds.text import FreeText
from tossup.shared.kinds.vector import VectorAnswer
from tossup.shared.mechanisms import Kuk, ScoredChoice, UnrelatedQuestion
from tossup.shared.mechanisms.base import Channel
from tossup.shared.odds import epsilon
from tossup.shared.survey import YES, Attribute, Question
from tossup.shared.waves import WAVE

#: Columns, in order. ``named_otherwise`` and ``named`` are q and p: how likely a report names the
#: answer without and with it being the truth; for an order of options, ranked last and ranked
#: first, and ``value`` is mean points from 0 to 1. They are empty for choices by score, for
#: numbers of red cards and for an unrelated question. ``reports`` counts those that name it;
#: ``n`` all, or where a report asks some of several options those that ask it. Where
#: ``suppressed`` is ``true``, ``rests_on`` is below ``minimum``, and ``reports`` and the columns
#: from ``value`` on are empty but for it and ``wave``. ``rests_on`` is how many reports tell of
#: the answer: ``n``, of texts those of the last level, of two statements as many as equal samples
#: would need. ``day`` is empty
#: but for a day's rows, ``attribute`` and ``option`` but for a group's. ``answer`` is an option's
#: id, the name of a number's statistic, or a text that was found; it is empty where `OTHER_TEXT`
#: or `REST` is the label. In a survey with waves a row of a wave has the change since the wave
#: ``change_from`` and its interval; all other rows are of the wave ``wave``. In rows of all reports
#: to a choice ``leader`` is the answer with the largest estimate and ``lead`` that estimate less
#: the row's own, with an interval that holds together with those of all pairs of answers: the two
#: are not told apart where it holds 0. ``possible_share`` is a view and no estimate, without an
#: interval: the nearest shares that are not negative and sum to 1. ``not_told_yet`` is ``true`` for
#: a variance or a quantile that more reports would tell; it has no ``value``. ``wordings`` counts
#: the wordings of the question that the estimates add up; the older of them are in
#: ``earlier_wordings``, with versions, days and reports, and of attributes in a group's rows.
COLUMNS = (
    *(
        "survey",
        "versions",
        "wordings",
        "earlier_wordings",
        "question",
        "question_text",
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

#: The label of texts that do not fit, and of all that were not found.
OTHER_TEXT = "(another text)"
REST = "(all texts that were not found)"
_REST_KEY = "\n"  # no text: those are of printable characters

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
    estimates = {estimate.answer: estimate_to_json(estimate) for estimate in part.estimates}
    if part is result.total:
        estimates = _compared(part, estimates)
    estimates |= {number.statistic: _statistic(number_to_json(number)) for number in part.numbers}
    estimates |= {statistic: {"not_told_yet": True} for statistic in part.not_told_yet}
    if part.day is None and part.attribute is None:
        estimates |= {f"share of {p.number}": _statistic(point_to_json(p)) for p in part.histogram}
    if part.vector:
        estimates |= {mean.names[0]: _statistic(mean_to_json(mean)) for mean in part.vector.means}
    estimates |= _covariance(part)
    estimates |= _texts(result, part)
    place = _place(part, attributes, language)
    answers = _answers(part.question, language)
    unnamed = "mean" if part.question.grid else ""
    for answer, label, chances in answers or [(name, "", {}) for name in estimates or (unnamed,)]:
        row: Row = {"answer": answer, "answer_label": label, **chances, **place}
        yield row | _reports(part, answer) | estimates.get(answer, {})


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


def _compared(part: Slice, estimates: dict[str, Row]) -> dict[str, Row]:
    """Return the estimates of a choice with how far each is behind the largest, and the view."""
    possible = part.possible or ("",) * len(estimates)
    rows = {
        answer: row | {"possible_share": share}
        for (answer, row), share in zip(estimates.items(), possible, strict=True)
    }
    found = part.leading
    if found is None:
        return rows
    for lead in found.leads:
        rows[lead.other.answer] |= {
            "leader": found.top.answer,
            "lead": lead.value,
            "lead_low": lead.interval.low,
            "lead_high": lead.interval.high,
            "lead_method": lead.interval.method,
        }
    return rows


def _statistic(number: Row) -> Row:
    """Return a statistic of numbers in the columns of an estimate; ``answer`` is its name."""
    return {name: value for name, value in number.items() if name in COLUMNS}


def _texts(result: QuestionResult, part: Slice) -> dict[str, Row]:
    """Return the texts that were found, ``answer`` is the text, and all others together."""
    found = [(text.text, _statistic(text_to_json(text))) for text in result.texts(part)]
    rows = {text: row | ({} if text else {"answer_label": OTHER_TEXT}) for text, row in found}
    if part is result.total and part.texts is not None and part.texts.examined:
        rest = _statistic(rest_to_json(part.texts.rest))
        rows[_REST_KEY] = rest | {"answer": "", "answer_label": REST}
    return rows


def _answers(question: Question, language: str) -> list[tuple[str, str, Row]]:
    """Return ids, labels and chances of the answers that are estimated; none for numbers."""
    if isinstance(question.domain, VectorAnswer):
        return [(*names, {}) for names in _entries(question, question.domain, language)]
    if isinstance(question.domain, Grid | FreeText):
        return []
    chances = _all_chances(question)
    if question.is_yes_no:
        return [(question.answer_ids[YES], "", chances[YES])]
    labels = [(option.id, option.label.get(language, "")) for option in question.options]
    return [(*pair, row) for pair, row in zip(labels, chances, strict=True)]


def _entries(question: Question, vector: VectorAnswer, language: str) -> list[tuple[str, str]]:
    """Return ids and labels of components, then those of their covariances."""
    components = [(option.id, option.label.get(language, "")) for option in question.options]
    ids = vector.components
    return components + [(_pair_name(ids[i], ids[j]), "") for i, j in vector.pairs]


def _covariance(part: Slice) -> dict[str, Row]:
    found = part.vector and part.vector.covariance
    if not found:
        return {}
    entries = covariance_to_json(found)["entries"]
    rows = zip(found.entries, entries if isinstance(entries, list) else [], strict=True)
    return {_pair_name(*entry.names): _statistic(row) for entry, row in rows}


def _pair_name(first: str, second: str) -> str:
    return f"covariance of {first} and {second}"


def _all_chances(question: Question) -> list[Row]:
    """Return q and p of every answer; none where reports say something of every answer."""
    if isinstance(question.mechanism, Kuk | ScoredChoice | UnrelatedQuestion):
        return [{} for _ in question.answer_ids]
    return [_chances(channel) for channel in named_or_not(question.mechanism)]


def _chances(channel: Channel) -> Row:
    (_, without), (_, with_it) = channel
    return {"named_otherwise": _ratio(without, "in"), "named": _ratio(with_it, "in")}


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
