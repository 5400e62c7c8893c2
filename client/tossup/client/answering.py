"""The one place where a true answer is used: validate, check, reserve, toss, store.

Stage: answer to report, inside one store transaction. The truth lives in local variables only.
All that can fail is tried before a coin is tossed: entries and empty reports are written first,
then the coins fill the reports, and the commit makes everything durable at once or not at all.
"""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace

from tossup.client import ledger, outbox
from tossup.client.database import Connection
from tossup.client.errors import AlreadyAnswered, AnswerRefused
from tossup.client.ledger import Caps, Entry, Ledger
from tossup.client.outbox import Report
from tossup.shared.coins import Coins
from tossup.shared.domain import Place
from tossup.shared.errors import AnswerError
from tossup.shared.survey import Question, Survey
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
    if not isinstance(answers, Mapping):
        raise AnswerRefused("answers must be a mapping from the ids of questions to answers")
    given = dict(answers)
    if not all(type(name) is str for name in given):
        raise AnswerRefused("the keys of answers must be the ids of questions, as str")
    asked = _asked(survey, given)
    try:
        return Validated(
            questions={q.id: q.place(given[q.id]) for q in asked},
            attributes={a.id: a.index(given[a.id]) for a in survey.attributes},
        )
    except AnswerError as error:
        message = str(error)
    raise AnswerRefused(f"{message}. Nothing was tossed")


def _asked(survey: Survey, given: Mapping[str, object]) -> tuple[Question, ...]:
    asked = tuple(q for q in survey.questions if q.id in given)
    publics = [attribute.id for attribute in survey.attributes]
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
    connection: Connection, book: Ledger, survey: Survey, given: Validated, caps: Caps
) -> int:
    """Toss for every topic not answered before, and store what the coins say.

    Within the caller's transaction: nothing counts until it is committed.

    Returns
    -------
    int
        The number of entries that the ledger has now.

    Raises
    ------
    AlreadyAnswered
        If no topic is new; with linkage ``joint``, if any is old.
    CapExceeded
        If a lifetime cap does not allow the new ones together.
    LedgerDamaged, StoreUnavailable, OutboxDamaged
        If the store does not allow it. No coin has been tossed then.
    """
    fresh = _fresh(survey, given, book)
    entries = [_entry(survey, question) for question in fresh]
    ledger.check_caps(book, entries, caps)
    ledger.append(connection, book, entries)
    reserved = _blank_reports(survey, fresh, given)
    for report in reserved:
        outbox.write(connection, report)
    for report in reserved:
        outbox.write(connection, _tossed(survey, report, given))
    return len(book.entries) + len(entries)


def _fresh(survey: Survey, given: Validated, book: Ledger) -> tuple[Question, ...]:
    """Return the asked questions whose topic is new; the topics of a survey differ."""
    asked = tuple(q for q in survey.questions if q.id in given.questions)
    seen = book.topics(survey.publisher.key.hex())
    fresh = tuple(q for q in asked if q.topic not in seen)
    if not fresh or (survey.linkage == "joint" and fresh != asked):
        raise AlreadyAnswered
    return fresh


def _entry(survey: Survey, question: Question) -> Entry:
    return Entry(
        publisher=survey.publisher.key.hex(),
        topic=question.topic,
        survey=survey.id,
        manifest=survey.digest,
        question=question.id,
        odds=question.mechanism.odds,
        delta=question.mechanism.delta,
    )


def _blank_reports(
    survey: Survey, fresh: tuple[Question, ...], given: Validated
) -> tuple[Report, ...]:
    names = [""] if survey.linkage == "joint" else [question.id for question in fresh]
    return tuple(
        Report(
            id=secrets.token_bytes(ID_BYTES),
            publisher=survey.publisher.key.hex(),
            survey=survey.id,
            manifest=survey.digest,
            question=name,
            columns={},
            attributes=dict(given.attributes),
        )
        for name in names
    )


def _tossed(survey: Survey, blank: Report, given: Validated) -> Report:
    names = [blank.question] if blank.question else [q.id for q in survey.questions]
    questions = [survey.question(name) for name in names]
    return replace(
        blank,
        columns={q.id: q.perturb(given.questions[q.id], Coins()) for q in questions},
    )
