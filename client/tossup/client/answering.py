"""The one place where a true answer is used: validate, check, reserve, toss, store.

Stage: answer to report, inside one store transaction. The truth lives in local variables only.
All that can fail is tried before a coin is tossed: entries and empty reports are written first,
then the coins fill the reports, and the commit makes everything durable at once or not at all.
"""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from types import MappingProxyType

from tossup.client.asking.now import Due, due, is_reported
from tossup.client.errors import (
    AlreadyAnswered,
    AnswerRefused,
    CapExceeded,
    NotAsked,
    OddsRaised,
)
from tossup.client.store import ledger, outbox
from tossup.client.store.database import Connection
from tossup.client.store.ledger import Caps, Ledger
from tossup.client.store.outbox import Report
from tossup.client.store.totals import Entry
from tossup.shared.coins import Coins
from tossup.shared.errors import AnswerError
from tossup.shared.figures import brief
from tossup.shared.kinds.base import Place
from tossup.shared.survey import WAVE, Question, Survey
from tossup.shared.wire import ID_BYTES


@dataclass(frozen=True, slots=True)
class Validated:
    """Answers as places among those declared, and indexes of public attributes.

    It has no readable form.
    """

    questions: Mapping[str, Place]
    attributes: Mapping[str, int]

    def __repr__(self) -> str:
        return "<validated answers>"


def validate(survey: Survey, answers: object) -> Validated:
    """Return where the answers lie among those declared.

    Parameters
    ----------
    answers
        A mapping from every attribute's id, and from question ids, to answers: with linkage
        ``joint`` all questions, with ``none`` at least one.

    Raises
    ------
    AnswerRefused
        If anything is missing, unknown or not declared. The message never shows an answer.
    """
    given = _named(answers)
    asked = _asked(survey, given)
    return _places(survey, given, asked)


def validate_attributes(survey: Survey, attributes: object) -> Validated:
    """Return where the public attributes lie, for reports that need no answer.

    Raises
    ------
    AnswerRefused
        If they are not exactly what the survey asks for.
    """
    given = _named(attributes)
    if set(given) != {attribute.id for attribute in survey.asked_attributes}:
        names = ", ".join(a.id for a in survey.asked_attributes) or "none"
        raise AnswerRefused(f"survey {survey.id!r} takes these public attributes: {names}")
    return _places(survey, given, ())


def _named(answers: object) -> dict[str, object]:
    if not isinstance(answers, Mapping):
        raise AnswerRefused("answers must be a mapping from the ids of questions to answers")
    given = dict(answers)
    if not all(type(name) is str for name in given):
        raise AnswerRefused("the keys of answers must be the ids of questions, as str")
    return given


def _places(survey: Survey, given: Mapping[str, object], asked: tuple[Question, ...]) -> Validated:
    try:
        return Validated(
            questions={q.id: q.place(given[q.id]) for q in asked},
            attributes={a.id: a.index(given[a.id]) for a in survey.asked_attributes},
        )
    except AnswerError as error:
        message = str(error)
    raise AnswerRefused(f"{message}. Nothing was tossed")


def _asked(survey: Survey, given: Mapping[str, object]) -> tuple[Question, ...]:
    asked = tuple(q for q in survey.questions if q.id in given)
    publics = [attribute.id for attribute in survey.asked_attributes]
    missing = [name for name in publics if name not in given]
    if missing:
        raise AnswerRefused(f"the public attributes {', '.join(missing)} are missing")
    if len(given) != len(asked) + len(publics):
        raise AnswerRefused(f"survey {survey.id!r} has no such question; preview() lists them")
    if not asked or (survey.linkage == "joint" and asked != survey.questions):
        wanted = "all questions" if survey.linkage == "joint" else "at least one question"
        raise AnswerRefused(f"survey {survey.id!r} takes answers to {wanted} at once")
    return asked


def answer(
    connection: Connection,
    book: Ledger,
    survey: Survey,
    given: Validated,
    *,
    caps: Caps,
    wave: int = 0,
    raised: Mapping[str, object] = MappingProxyType({}),
) -> int:
    """Toss for every topic not answered before, and store what the coins say.

    Within the caller's transaction: nothing counts until it is committed. In a later wave of a
    survey that tosses once, the answers are not looked at: what is kept is reported again.

    Parameters
    ----------
    raised
        By id, in words, what this version asks more for questions than was known of them.

    Returns
    -------
    int
        The number of entries that the ledger has now.

    Raises
    ------
    AlreadyAnswered
        If no topic is new; with linkage ``joint``, if any is old.
    CapExceeded
        If the cap of a question, or a lifetime cap, does not allow the new ones together.
    OddsRaised
        If one of the new ones costs more than was known of it.
    LedgerDamaged, StoreUnavailable, OutboxDamaged
        If the store does not allow it. No coin has been tossed then.
    """
    asked = [question for question in survey.questions if question.id in given.questions]
    known = due(connection, book, survey, wave, asked)
    fresh, again = known.toss, known.again
    if not (fresh or again) or (survey.linkage == "joint" and fresh != survey.questions):
        raise AlreadyAnswered
    answering = _Answering(connection, book, survey, given, wave, known)
    return answering.store(answering.charged(fresh, caps, raised), fresh, again)


def repeat(
    connection: Connection, book: Ledger, survey: Survey, given: Validated, wave: int
) -> int:
    """Report again, in a later wave, everything that is kept; ask nothing and spend nothing.

    Returns
    -------
    int
        The number of entries that the ledger has now.

    Raises
    ------
    AlreadyAnswered
        If all of it has been reported in this wave.
    NotAsked
        If nothing is kept that this survey may report again.
    LedgerDamaged, StoreUnavailable, OutboxDamaged
        If the store does not allow it.
    """
    known = due(connection, book, survey, wave, survey.questions)
    again = known.again
    if not again and any(is_reported(book, survey, q, wave) for q in survey.questions):
        raise AlreadyAnswered
    if not again:
        raise NotAsked("nothing is kept on this device that could be reported again; ask first")
    return _Answering(connection, book, survey, given, wave, known).store((), (), again)


@dataclass(frozen=True, slots=True)
class _Answering:
    """One answer on its way into the store, within one transaction. It has no readable form."""

    connection: Connection
    book: Ledger
    survey: Survey
    given: Validated
    wave: int
    known: Due

    def __repr__(self) -> str:
        return "<an answer on its way>"

    def charged(
        self, fresh: tuple[Question, ...], caps: Caps, raised: Mapping[str, object]
    ) -> tuple[Entry, ...]:
        """Return what is charged for questions; refuse those that cost more than is allowed.

        Raises
        ------
        CapExceeded, OddsRaised
            If one costs too much, or asks more than was known of it. Nothing has been spent.
        """
        self._check_questions(fresh, caps.question)
        entries = tuple(self._tossed(question) for question in fresh)
        ledger.check_caps(self.book, entries, caps)
        for question in fresh:
            if question.id in raised:
                raise OddsRaised(
                    f"version {self.survey.version} {raised[question.id]}. Nothing was tossed."
                    " Show the respondent preview() first"
                )
        return entries

    def store(
        self, charged: Sequence[Entry], fresh: Sequence[Question], again: Mapping[str, int]
    ) -> int:
        entries = [*charged, *(self._entry(self.survey.question(name)) for name in again)]
        ledger.append(self.connection, self.book, entries)
        for question in fresh:
            if self._keeps(question):
                self._keep(question, "")
        blanks = self._blank_reports([*(q.id for q in fresh), *again])
        outbox.add(self.connection, blanks, lambda blank: self._filled(blank, again))
        return self.book.totals.entries + len(entries)

    def _check_questions(self, fresh: tuple[Question, ...], cap: Fraction) -> None:
        """Refuse a question that would ever cost more than the cap, by this version or before.

        Raises
        ------
        CapExceeded
            If one would. Its cost over all waves and versions counts, not that of this toss alone.
        """
        publisher = self.survey.publisher.key.hex()
        for question in fresh:
            past = self.book.past.get((publisher, question.topic))
            spent = past.odds if past else Fraction(1)
            cost = max(self.survey.cost(question), spent * self.survey.odds_a_toss(question))
            if cost > cap:
                raise CapExceeded(
                    f"question {question.id!r} costs odds of {brief(cost)} for life, and this app"
                    f" allows {brief(cap)} for one question (question_cap). Nothing was tossed"
                )

    def _keeps(self, question: Question) -> bool:
        """Return whether this toss is the first of which something is kept."""
        waves = self.survey.waves
        if question.mechanism.has_memo:
            return waves is not None and question.id not in self.known.memos
        return waves is not None and waves.are_permanent

    def _tossed(self, question: Question) -> Entry:
        odds, delta = self.survey.odds_a_toss(question), self.survey.tossed(question).delta
        return self._entry(question, odds, delta)

    def _entry(
        self, question: Question, odds: Fraction = Fraction(1), delta: Fraction = Fraction(0)
    ) -> Entry:
        """Return an entry; one that costs nothing is of a report made from what is kept."""
        return Entry(
            publisher=self.survey.publisher.key.hex(),
            topic=question.topic,
            survey=self.survey.id,
            manifest=self.survey.digest,
            question=question.id,
            odds=odds,
            delta=delta,
            wave=self.wave,
        )

    def _blank_reports(self, names: Sequence[str]) -> tuple[Report, ...]:
        wave = {WAVE: self.wave - 1} if self.wave else {}
        return tuple(
            Report(
                id=secrets.token_bytes(ID_BYTES),
                publisher=self.survey.publisher.key.hex(),
                survey=self.survey.id,
                manifest=self.survey.digest,
                question=name,
                columns={},
                attributes=dict(self.given.attributes) | wave,
            )
            for name in ([""] if self.survey.linkage == "joint" else names)
        )

    def _filled(self, blank: Report, again: Mapping[str, int]) -> Report:
        names = [blank.question] if blank.question else [q.id for q in self.survey.questions]
        return replace(blank, columns={name: self._value(name, again.get(name)) for name in names})

    def _value(self, name: str, kept: int | None) -> int:
        """Return a report made from what is kept, or from the answer where nothing is."""
        question = self.survey.question(name)
        mechanism = question.mechanism
        if kept is not None:
            return mechanism.again(kept, Coins())
        place = self.given.questions[name]
        if mechanism.has_memo and self.survey.waves:
            return question.through(self._memo(question), place, Coins())
        if self._keeps(question):
            return mechanism.again(self._kept(question, question.keep(place, Coins())), Coins())
        return question.perturb(place, Coins())

    def _memo(self, question: Question) -> int:
        """Return the device's memo, tossed now if there is none; its coins see no answer."""
        memo = self.known.memos.get(question.id)
        return self._kept(question, question.mechanism.memo(Coins())) if memo is None else memo

    def _kept(self, question: Question, kept: int) -> int:
        """Store what the coins said, and return it."""
        self._keep(question, f"{kept:x}")
        return kept

    def _keep(self, question: Question, kept: str) -> None:
        """Write what is kept: an empty row at first, so that what can fail fails before a toss."""
        from tossup.client.store import memory

        memory.write(self.connection, replace(memory.blank(self.survey, question), kept=kept))
