"""Audit any program that randomizes answers, from outside: run it, count, judge.

Stage: beside the road, by whoever doubts an SDK, ours or another in any language. A statistical
audit finds what enumeration of our own code cannot see, the coins of a built program; it does
not replace the proof, since it misses excesses of epsilon too small for its trials.
"""

from collections.abc import Sequence

from tossup.server.auditing.cells import check_cells, count_reports, has_few_cells, judge
from tossup.server.auditing.errors import AuditError
from tossup.server.auditing.options import count_named, judge_named, names_options
from tossup.server.auditing.verdict import ALPHA, Verdict
from tossup.server.catalogue import answers_of
from tossup.shared.mechanisms import FrequencyOracle, Mechanism

__all__ = [
    "ALPHA",
    "AuditError",
    "Verdict",
    "audit",
    "by_options",
    "check_auditable",
    "count_named",
    "count_reports",
    "judge",
    "judge_named",
]


def by_options(mechanism: Mechanism) -> bool:
    """Return whether an audit counts the options that reports name, for want of few reports."""
    return names_options(mechanism) and not has_few_cells(mechanism)


def check_auditable(mechanism: Mechanism) -> None:
    """Refuse a mechanism with too many reports to count each, that name no options either.

    Raises
    ------
    MechanismError
        If it has too many pairs of an answer and a report, and none are of options.
    """
    if not by_options(mechanism):
        check_cells(mechanism)


def audit(
    command: Sequence[str], mechanism: Mechanism, trials: int, timeout_seconds: float
) -> Verdict:
    """Run a program and return what the three tests find.

    Parameters
    ----------
    command
        The program and its arguments; no shell is involved.
    mechanism
        What it claims to be.
    trials
        How often each answer is given.
    timeout_seconds
        How long the program may neither read nor write before it is stopped.

    Raises
    ------
    MechanismError
        If the mechanism cannot be audited.
    AuditError
        If the program does not run as it must.
    """
    check_auditable(mechanism)
    if isinstance(mechanism, FrequencyOracle) and by_options(mechanism):
        return judge_named(count_named(command, mechanism, trials, timeout_seconds))
    answers, reports = answers_of(mechanism), mechanism.reports
    return judge(count_reports(command, answers, reports, trials, timeout_seconds), mechanism)
