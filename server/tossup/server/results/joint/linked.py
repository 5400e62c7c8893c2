"""Joint reports as rows, for tables and regressions of several answers.

Stage: store to analysis. Only where a survey's linkage is ``joint``: its devices send one report
with all answers, and respondents were told so. Rows hold randomized reports and what was told
openly; no id, no day, and no order of arrival, since equal rows are counted and the counted ones
sorted.
"""

import csv
from collections import Counter
from collections.abc import Iterable, Iterator
from io import StringIO
from typing import Final

import numpy as np

from tossup.server.ingest.packing import Reports
from tossup.server.kernels.base import numbers
from tossup.server.results.joint.stored import read_reports
from tossup.server.store.base import Store
from tossup.shared.errors import TossupError
from tossup.shared.survey import Survey

#: Reports of more bytes are sets of options or the like: they have no place in a table's cell.
_MOST_BYTES: Final = 4

#: Columns that hold nothing a survey names; ids of a survey stand behind one of the prefixes, so
#: that no question is taken for a count, nor an attribute, told openly, for a randomized report.
VERSION: Final = "version"
COUNT: Final = "count"
ATTRIBUTE_PREFIX: Final = "attribute_"
REPORT_PREFIX: Final = "report_"

#: A row but for its count: values by column.
Row = tuple[tuple[str, str | int], ...]


class NotLinked(TossupError):  # noqa: N818 - reads as the condition, like its wire code
    """There are no joint reports to give out. The message says why."""


def joint_reports(store: Store, survey_id: str) -> Counter[Row]:
    """Return a survey's joint reports, counted by what they say.

    Raises
    ------
    SurveyUnknown
        If there is no such survey.
    NotLinked
        If its reports are not joint, or fit no table.
    Refused
        If they were deleted at the end of their retention.
    """
    store.survey(survey_id)  # an unknown one is told as such
    _check(store.manifests(survey_id))
    return read_reports(store, survey_id, _counted_all)


def joint_reports_to_csv(store: Store, survey_id: str) -> str:
    """Return joint reports as CSV.

    Columns: ``version``; ``attribute_ID`` for every public attribute, the id of its option;
    ``report_ID`` for every question, the number of its randomized report, whose meaning is in the
    design of the question in that version; and ``count``, how many reports are equal. Those that a
    version does not have are empty in its rows.

    Raises
    ------
    SurveyUnknown, NotLinked, Refused
        As `joint_reports`.
    """
    rows = joint_reports(store, survey_id)
    heads = list(_heads(store.manifests(survey_id)))
    lines = sorted([str(dict(row).get(head, "")) for head in heads] + [str(count)]
                   for row, count in rows.items())  # fmt: skip
    text = StringIO()
    writer = csv.writer(text)
    writer.writerow([*heads, COUNT])
    writer.writerows(lines)
    return text.getvalue()


def _check(versions: Iterable[Survey]) -> None:
    for survey in versions:
        if survey.linkage != "joint":
            raise NotLinked(
                "each answer of this survey is a report of its own, which nobody can put together;"
                ' the survey file says linkage = "joint" where tables of several answers are wanted'
            )
        for question in survey.questions:
            if question.mechanism.reports > 1 << (8 * _MOST_BYTES):
                raise NotLinked(
                    f"reports to question {question.id} are too large for a table's cell"
                )


def _counted_all(groups: Iterator[Reports]) -> Counter[Row]:
    found: Counter[Row] = Counter()
    for reports in groups:
        found.update(dict(_counted(reports)))
    return found


def _counted(reports: Reports) -> Iterator[tuple[Row, int]]:
    """Yield the different rows of a chunk, each with how often it stands there."""
    survey = reports.survey
    columns = [*reports.attributes, *map(numbers, reports.values)]
    table = np.column_stack([column.astype(np.int64) for column in columns])
    for values, count in zip(*np.unique(table, axis=0, return_counts=True), strict=True):
        yield _row(survey, values.tolist()), int(count)


def _row(survey: Survey, values: list[int]) -> Row:
    told = zip(survey.attributes, values, strict=False)
    attributes = [
        (ATTRIBUTE_PREFIX + attribute.id, attribute.options[place].id) for attribute, place in told
    ]
    answers = zip(survey.questions, values[len(survey.attributes) :], strict=True)
    reports = [(REPORT_PREFIX + question.id, report) for question, report in answers]
    return ((VERSION, survey.version), *attributes, *reports)


def _heads(versions: list[Survey]) -> dict[str, None]:
    """Return the columns of all versions, the newest's first."""
    newest = sorted(versions, key=lambda survey: survey.version, reverse=True)
    names = [VERSION]
    names += [ATTRIBUTE_PREFIX + attribute.id for s in newest for attribute in s.attributes]
    names += [REPORT_PREFIX + question.id for s in newest for question in s.questions]
    return dict.fromkeys(names)
