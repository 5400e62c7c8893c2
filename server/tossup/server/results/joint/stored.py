"""All stored reports of a survey, for what tallies do not hold.

Stage: stored reports to estimate. Only reports: randomized answers, with no id of a person.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from tossup.server.ingest.packing import Reports, from_chunk
from tossup.server.refusals import Refused
from tossup.server.results import JointResult, joint_result, parse_query, scope_of
from tossup.server.results.joint.tables import refuse_several_waves
from tossup.server.store.base import Store
from tossup.server.store.records import Found, SurveyRecord


def read_reports(store: Store, survey_id: str, work: Callable[[Iterator[Reports]], Found]) -> Found:
    """Return what ``work`` makes of all stored reports of a survey, group by group.

    They are of one snapshot. ``work`` may be called twice; see `Store.read_chunks`.

    Raises
    ------
    SurveyUnknown
        If there is no such survey.
    Refused
        If its reports were deleted at the end of their retention.
    """
    _refuse_deleted(store.survey(survey_id))
    versions = {survey.digest: survey for survey in store.manifests(survey_id)}
    return store.read_chunks(
        survey_id,
        lambda chunks: work(from_chunk(chunk, versions[chunk.manifest]) for chunk in chunks),
    )


def check_joint(
    store: Store, record: SurveyRecord, questions: Sequence[str], query: Mapping[str, str]
) -> None:
    """Refuse what `find_joint` would refuse, without a look at the reports."""
    scope = scope_of(parse_query(query))
    versions = store.manifests(record.survey.id)
    scope.check(versions)
    _refuse_deleted(record)
    for version in versions:
        refuse_several_waves(version, scope)
    joint_result(record.survey, questions, (), scope)


def find_joint(
    store: Store, record: SurveyRecord, questions: Sequence[str], query: Mapping[str, str]
) -> JointResult:
    """Return the joint table of two questions, from the reports that a query's filters admit.

    Raises
    ------
    FilterError
        If a filter or the questions are none of this survey.
    Refused
        If its reports were deleted.
    """
    scope = scope_of(parse_query(query))
    scope.check(store.manifests(record.survey.id))
    return read_reports(
        store,
        record.survey.id,
        lambda reports: joint_result(record.survey, questions, reports, scope),
    )


def _refuse_deleted(record: SurveyRecord) -> None:
    if record.expired:
        raise Refused(
            "the single reports were deleted at the end of their retention; the estimates of each"
            " question by itself are left",
            "reports-expired",
        )
