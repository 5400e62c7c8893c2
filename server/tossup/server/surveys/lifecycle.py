"""A survey's life on the server: published, published anew, closed, reopened, deleted.

Stage: before and after ingest.
"""

import logging
from datetime import date

from tossup.server.kinds import kind_of
from tossup.server.refusals import Refused
from tossup.server.store.base import Store
from tossup.server.store.envelopes import verified_survey
from tossup.server.store.records import SurveyDeleted, SurveyRecord, SurveyUnknown
from tossup.server.store.sql.transaction import Transaction
from tossup.server.surveys.meaning import MeaningError, check_meaning
from tossup.server.surveys.topics import SharedTopic, shared_topics
from tossup.shared.errors import ManifestError, MechanismError
from tossup.shared.figures import brief
from tossup.shared.survey import Survey

_log = logging.getLogger(__name__)


def publish(store: Store, envelope: bytes, *, question_cap: int | None = None) -> Survey:
    """Keep a signed manifest: a new survey, or the next version of one.

    The first version pins the publisher's key. Publishing the current version again changes
    nothing.

    Parameters
    ----------
    question_cap
        The odds that one question may cost; None for any.

    Raises
    ------
    Refused
        ``manifest-invalid`` if the manifest or its signature is invalid, if nothing can be
        estimated from the answers to a question, or if one costs more than the cap;
        ``survey-conflict`` if it does not follow the newest version; ``meaning-changed`` if
        an id may not mean what it meant before.
    """
    try:
        survey = verified_survey(envelope)
    except ManifestError as error:
        raise Refused(str(error), "manifest-invalid") from error
    _check_can_be_estimated(survey)
    with store.write() as transaction:
        current = _current(transaction, survey.id)
        if current is None or current.survey.digest != survey.digest:
            _check_costs(survey, question_cap)
            _check_follows(survey, current)
            _check_meaning(survey, store.manifests(survey.id))
            transaction.add_manifest(survey, envelope)
    return survey


def topics_asked_elsewhere(store: Store, survey: Survey) -> tuple[SharedTopic, ...]:
    """Return the topics that other surveys here, open or closed, of the same publisher ask.

    Those that are damaged cannot say what they ask.
    """
    others = (
        version for record in listed(store)[0] for version in store.manifests(record.survey.id)
    )
    return shared_topics(survey, others)


def listed(store: Store) -> tuple[list[SurveyRecord], list[str]]:
    """Return the surveys that can be read, and the ids of damaged ones, which the log counts."""
    records, damaged = store.readable()
    if damaged:
        _log.error("surveys that are damaged: %d; tossup doctor names them", len(damaged))
    return records, damaged


def respondents(store: Store, record: SurveyRecord) -> int | None:
    """Return how many people's reports are counted; None where that cannot be known.

    It is known where a device sends one report for life: a survey with one question, or whose
    answers travel together, without waves, and with the same topics in all versions.
    """
    versions = store.manifests(record.survey.id)
    topics = {frozenset(question.topic for question in each.questions) for each in versions}
    is_one_report = all(
        each.waves is None and (each.linkage == "joint" or len(each.questions) == 1)
        for each in versions
    )
    return record.reports if is_one_report and len(topics) == 1 else None


def close(store: Store, survey_id: str) -> None:
    """Close a survey now: nothing is counted or withdrawn from now on.

    Raises
    ------
    SurveyUnknown
        If there is no such survey.
    """
    with store.write() as transaction:
        transaction.close_survey(survey_id)


def fault_of_reopening(record: SurveyRecord, day: date) -> str | None:
    """Return why a survey that was closed by hand cannot be opened again; None if it can.

    Its last day was promised to respondents, and so was when their reports are deleted.
    """
    if record.expired:
        return "its single reports were deleted at the end of their retention"
    if record.survey.days_since_close(day):
        return f"its last day, {record.survey.closes}, is over"
    return None


def reopen(store: Store, survey_id: str) -> None:
    """Open a survey again that was closed by hand, until its last day.

    One that is not closed by hand stays as it is.

    Raises
    ------
    Refused
        ``survey-closed`` if its last day is over, or its retention.
    SurveyUnknown
        If there is no such survey.
    """
    with store.write() as transaction:
        record = transaction.survey(survey_id)
        fault = fault_of_reopening(record, transaction.day)
        if record.closed and fault:
            raise Refused(f"the survey cannot be opened again: {fault}", "survey-closed")
        transaction.reopen_survey(survey_id)


def delete(store: Store, survey_id: str, losing: int) -> int:
    """Delete a survey with all that was reported, and return how many reports that were.

    Its id is never taken again: a device, or a table somewhere, may know what it meant.

    Parameters
    ----------
    losing
        The most reports that may be lost.

    Raises
    ------
    Refused
        ``survey-has-reports`` if it has more.
    SurveyUnknown
        If there is no such survey.
    """
    with store.write() as transaction:
        reports = transaction.survey(survey_id).reports
        if reports > losing:
            raise Refused(
                f"the survey has {reports} reports, which would be lost; what may be lost is"
                " stated in losing",
                "survey-has-reports",
            )
        transaction.delete_survey(survey_id)
    store.scrub()
    return reports


def _check_can_be_estimated(survey: Survey) -> None:
    """Refuse questions whose reports would tell nothing: people would answer in vain."""
    for question in survey.questions:
        try:
            kind_of(question).check_tells(question.mechanism)
        except MechanismError as error:
            raise Refused(f"question {question.id!r}: {error}", "manifest-invalid") from error


def _check_costs(survey: Survey, cap: int | None) -> None:
    """Refuse a question that devices refuse as well, unless their apps allow more."""
    for question in survey.questions:
        cost = survey.cost(question)
        if cap is not None and cost > cap:
            raise Refused(
                f"question {question.id!r} costs odds of {brief(cost)}, above {cap}: devices answer"
                " it only where the app allows more. Give it lower odds; or post the same with"
                " ?question_cap= and what one question may cost",
                "manifest-invalid",
            )


def _check_meaning(survey: Survey, earlier: list[Survey]) -> None:
    try:
        check_meaning(survey, earlier)
    except MeaningError as error:
        raise Refused(str(error), "meaning-changed") from error


def _current(transaction: Transaction, survey_id: str) -> SurveyRecord | None:
    try:
        return transaction.survey(survey_id)
    except SurveyDeleted as error:
        raise Refused(f"{error}; choose another id", "survey-conflict") from error
    except SurveyUnknown:
        return None


def _check_follows(survey: Survey, current: SurveyRecord | None) -> None:
    fault = _fault(survey, current)
    if fault:
        raise Refused(fault, "survey-conflict")


def _fault(survey: Survey, current: SurveyRecord | None) -> str | None:
    if current is None:
        return None if survey.version == 1 else "a survey starts with version 1"
    before = current.survey
    if current.closed:
        return "the survey is closed; a closed survey gets no new version"
    if survey.publisher.key != before.publisher.key:
        return "the survey belongs to another publisher key; sign by that, or choose another id"
    if survey.version != before.version + 1:
        return f"version {before.version} is here, so the next one is {before.version + 1}"
    if survey.previous != before.digest:
        return "previous must be the digest of the version that is here"
    return None
