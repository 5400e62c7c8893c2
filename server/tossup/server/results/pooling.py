"""From tallies to results: cells of one question, over versions, days and groups, added up."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from typing import Protocol

from tossup.server.estimation.comparing.change import overlap
from tossup.server.kinds.told.answer import Looks
from tossup.server.results.filters import DEFAULT_CONFIDENCE, Scope
from tossup.server.results.minimum import minimum_for
from tossup.server.results.slices import Slice
from tossup.server.results.values import QuestionResult, Results
from tossup.server.results.wordings import Came, Said, Wording, wordings
from tossup.server.store.tally import Cell, add, is_zero
from tossup.shared.kinds.base import Domain
from tossup.shared.mechanisms import Mechanism
from tossup.shared.survey import PURPOSE, TITLE, WAVE, Attribute, Option, Question, Survey
from tossup.shared.waves import Waves


class Record(Protocol):
    """What results need of a store's record of a survey."""

    @property
    def survey(self) -> Survey:
        """The current version."""

    @property
    def state(self) -> str:
        """``"open"``, ``"closed"`` or ``"not-open"``."""


@dataclass(frozen=True, slots=True)
class _Key:
    """What two versions must share for their reports to be added up."""

    question: str
    answers: tuple[str, ...]
    domain: Domain | None
    mechanism: Mechanism
    asked: str


@dataclass(frozen=True, slots=True)
class _Reports:
    """A cell, with its version, and its stratum spelled out: option id by attribute id."""

    version: int
    day: date
    stratum: Mapping[str, str]
    counts: Sequence[int]


def results(
    record: Record,
    cells: Iterable[Cell],
    *,
    versions: Sequence[Survey] = (),
    first_day: date | None = None,
    last_day: date | None = None,
    where: Mapping[str, str] | None = None,
    confidence: float = DEFAULT_CONFIDENCE,
    looks: Looks = "one",
) -> Results:
    """Return what a survey's tallies say.

    Parameters
    ----------
    record
        The survey's current version and state.
    cells
        Its tallies, of any versions.
    versions
        All versions of the manifest, in any order; the current one alone by default. Versions
        pool where a question's answers and mechanism are the same; otherwise the older question
        is listed on its own.
    first_day, last_day
        Look at reports that arrived on these days only (UTC, both included).
    where
        Look at reports with these options of public attributes only. In a survey with waves,
        totals, days and groups are of one wave: the one given here, or else the newest with
        enough reports. Groups by wave are of all.
    confidence
        That of every interval, each on its own: from 0.5 to 0.9999.
    looks
        ``"every"`` for intervals of shares that hold at every look together: safe to peek.

    Raises
    ------
    FilterError
        If a filter names what the survey does not have, or cannot be.
    LookupError
        If a cell is of a manifest that is not among the versions.
    """
    newest_first = _newest_first(record.survey, versions)
    scope = Scope(first_day, last_day, dict(where or {}), confidence, looks)
    scope.check(newest_first)
    pools = _pools(newest_first)
    every_wave = replace(scope, where={k: v for k, v in scope.where.items() if k != WAVE})
    sorted_cells = _sort(cells, newest_first, every_wave)
    minimums = {key: minimum_for(asked[0][1], record.survey) for key, asked in pools.items()}
    wave = scope.where.get(WAVE) or _newest_wave(sorted_cells, record.survey.waves, minimums)
    attributes = _attributes(newest_first)
    questions = tuple(
        _result(asked, _Found(sorted_cells.get(key, []), wave), record.survey, attributes, scope)
        for key, asked in pools.items()
    )
    said = _wordings(newest_first, sorted_cells)
    return Results(record.survey, record.state, attributes, scope, questions, wave, said)


def _newest_first(current: Survey, versions: Sequence[Survey]) -> list[Survey]:
    every = {survey.digest: survey for survey in (current, *versions)}
    return sorted(every.values(), key=lambda survey: -survey.version)


def _key(survey: Survey, question: Question) -> _Key:
    asked = "once"
    if survey.waves is not None:
        asked = "permanent" if survey.waves.are_permanent else "afresh"
    return _Key(question.id, question.answer_ids, question.domain, question.mechanism, asked)


def _pools(newest_first: list[Survey]) -> dict[_Key, list[tuple[Survey, Question]]]:
    """Return versions and wordings of what is added up together, newest first."""
    pools: dict[_Key, list[tuple[Survey, Question]]] = {}
    for survey in newest_first:
        for question in survey.questions:
            pools.setdefault(_key(survey, question), []).append((survey, question))
    return pools


def _newest_wave(
    found: Mapping[_Key, list[_Reports]], waves: Waves | None, minimums: Mapping[_Key, int]
) -> str | None:
    """Return the newest wave with enough reports to some question; else with any at all.

    Reports that came before their wave began count only if there are no others: an app may number
    waves itself, but a few forged reports to the last wave must not choose what everyone sees.
    """
    begun: dict[tuple[_Key, int], list[Sequence[int]]] = defaultdict(list)
    early: dict[tuple[_Key, int], list[Sequence[int]]] = defaultdict(list)
    for key, reports in found.items():
        for part in reports:
            if WAVE in part.stratum:
                wave = int(part.stratum[WAVE])
                came_early = waves is not None and part.day < waves.starts(wave)
                (early if came_early else begun)[key, wave].append(part.counts)
    for counts in (begun, early):
        enough = [wave for (key, wave), of in counts.items() if _behind(key, of) >= minimums[key]]
        if enough:
            return str(max(enough))
    some = [wave for counts in (begun, early) for (key, wave), of in counts.items() if _n(key, of)]
    return str(max(some)) if some else None


def _behind(key: _Key, counts: Iterable[Sequence[int]]) -> int:
    """Return the most reports that an estimate from some tallies rests on."""
    return max(key.mechanism.reports_behind(add(counts, key.mechanism.counters)))


def _n(key: _Key, counts: Iterable[Sequence[int]]) -> int:
    return key.mechanism.reports_counted(add(counts, key.mechanism.counters))


def _sort(
    cells: Iterable[Cell], versions: list[Survey], scope: Scope
) -> dict[_Key, list[_Reports]]:
    """Return the cells that the scope admits, by what they are added up with."""
    surveys = {survey.digest: survey for survey in versions}
    keys = {(s.digest, q.id): _key(s, q) for s in versions for q in s.questions}
    admitted: dict[_Key, list[_Reports]] = {}
    for cell in cells:
        stratum = _stratum(cell, surveys[cell.manifest].attributes)
        if scope.admits(cell.day, stratum):
            key = keys[cell.manifest, cell.question]
            admitted.setdefault(key, []).append(
                _Reports(surveys[cell.manifest].version, cell.day, stratum, cell.counts)
            )
    return admitted


def _stratum(cell: Cell, attributes: Sequence[Attribute]) -> dict[str, str]:
    places = zip(attributes, cell.stratum, strict=True)
    return {attribute.id: attribute.options[place].id for attribute, place in places}


def _attributes(newest_first: list[Survey]) -> tuple[Attribute, ...]:
    """Return the attributes of all versions with all their options, newest wording first."""
    merged: dict[str, tuple[Attribute, dict[str, Option]]] = {}
    for survey in newest_first:
        for attribute in survey.attributes:
            _, options = merged.setdefault(attribute.id, (attribute, {}))
            for option in attribute.options:
                options.setdefault(option.id, option)
    return tuple(replace(first, options=tuple(all_.values())) for first, all_ in merged.values())


@dataclass(frozen=True, slots=True)
class _Found:
    """The reports to one question, of all waves, and the wave to look at."""

    reports: list[_Reports]
    wave: str | None

    def shown(self, waves: Waves | None) -> list[_Reports]:
        """Return all reports; in a survey with waves those of the wave to look at."""
        if waves is None:
            return self.reports
        return [part for part in self.reports if part.stratum[WAVE] == self.wave]


def _result(
    versions: list[tuple[Survey, Question]],
    found: _Found,
    survey: Survey,
    attributes: tuple[Attribute, ...],
    scope: Scope,
) -> QuestionResult:
    newest, question = versions[0]
    asked = [version.waves for version, _ in versions if version.waves]
    shown = found.shown(newest.waves)
    total = Slice(
        question,
        add((part.counts for part in shown), question.mechanism.counters),
        minimum_for(question, survey),
        scope.confidence,
        looks=scope.looks,
    )
    return QuestionResult(
        question=question,
        versions=tuple(sorted(version.version for version, _ in versions)),
        total=total,
        days=_days(total, shown),
        groups=tuple(
            part
            for attribute in attributes
            for part in _groups(total, found.reports if attribute.id == WAVE else shown, attribute)
        ),
        waves=newest.waves,
        overlap=overlap(*asked) if asked else Fraction(0),
        wordings=wordings(
            (Said(survey, own.id, own.text, own.options) for survey, own in versions),
            {version: [came] for version, came in _came(found.reports, question.mechanism)},
        ),
    )


def _came(reports: Iterable[_Reports], mechanism: Mechanism) -> Iterator[tuple[int, Came]]:
    """Yield every version with reports to a question: when they came, and how many."""
    by_version: dict[int, list[_Reports]] = {}
    for part in reports:
        if not is_zero(part.counts):
            by_version.setdefault(part.version, []).append(part)
    for version, parts in by_version.items():
        counts = add((part.counts for part in parts), mechanism.counters)
        days = [part.day for part in parts]
        yield version, Came(min(days), max(days), mechanism.reports_counted(counts))


def _wordings(
    newest_first: list[Survey], found: Mapping[_Key, list[_Reports]]
) -> dict[str, tuple[Wording, ...]]:
    """Return the wordings of the title, of the purpose and of every attribute."""
    said: dict[str, list[Said]] = {}
    for survey in newest_first:
        said.setdefault(TITLE, []).append(Said(survey, TITLE, survey.title))
        said.setdefault(PURPOSE, []).append(Said(survey, PURPOSE, survey.purpose))
        for part in survey.attributes:
            said.setdefault(part.id, []).append(Said(survey, part.id, part.text, part.options))
    together = {survey.version for survey in newest_first if survey.linkage == "joint"}
    came: dict[int, list[Came]] = {}
    for key, reports in found.items():
        for version, of_question in _came(reports, key.mechanism):
            if not (version in came and version in together):  # one report answers all questions
                came.setdefault(version, []).append(of_question)
    return {name: wordings(parts, came) for name, parts in said.items()}


def _days(total: Slice, reports: list[_Reports]) -> tuple[Slice, ...]:
    by_day: dict[date, list[Sequence[int]]] = {}
    for part in reports:
        by_day.setdefault(part.day, []).append(part.counts)
    width = len(total.counts)
    return tuple(replace(total, counts=add(by_day[day], width), day=day) for day in sorted(by_day))


def _groups(total: Slice, reports: list[_Reports], attribute: Attribute) -> tuple[Slice, ...]:
    by_option: dict[str | None, list[Sequence[int]]] = {}
    for part in reports:
        by_option.setdefault(part.stratum.get(attribute.id), []).append(part.counts)
    return tuple(
        replace(
            total,
            counts=add(by_option.get(option.id, []), len(total.counts)),
            attribute=attribute.id,
            option=option.id,
        )
        for option in attribute.options
    )
