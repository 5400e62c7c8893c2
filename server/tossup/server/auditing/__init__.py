"""Audit any program that randomizes answers, from outside: run it, count, judge.

Stage: beside the road, for those who doubt an SDK, ours or another in any language. A statistical
audit finds what enumeration of our own code cannot see, the coins of a built program; it does
not replace the proof, since it misses excesses of epsilon too small for its trials.
"""

from collections.abc import Sequence

from tossup.server.auditing.cells import count_reports, has_few_cells, judge
from tossup.server.auditing.errors import AuditError
from tossup.server.auditing.events import count_events
from tossup.server.auditing.judging import judge_events
from tossup.server.auditing.verdict import ALPHA, Verdict
from tossup.server.auditing.viewing.views import view_of
from tossup.server.catalogue import answers_of
from tossup.shared.mechanisms import Mechanism

__all__ = [
    "ALPHA",
    "AuditError",
    "Verdict",
    "audit",
    "by_reports",
    "count_events",
    "count_reports",
    "judge",
    "judge_events",
    "thorough_trials",
    "view_of",
]

_TRIALS = 10**7


def by_reports(mechanism: Mechanism) -> bool:
    """Return whether an audit counts every report from every answer, as there are few of them."""
    return has_few_cells(mechanism)


def thorough_trials(mechanism: Mechanism) -> int:
    """Return how often each answer is given in a thorough audit.

    >>> from tossup.shared.mechanisms import TwoCoin
    >>> thorough_trials(TwoCoin())
    10000000

    Raises
    ------
    MechanismError
        If the mechanism cannot be audited.
    """
    return _TRIALS if by_reports(mechanism) else view_of(mechanism).trials


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
        How often each answer is given, at least.
    timeout_seconds
        How long the program may neither read nor write before it is stopped.

    Raises
    ------
    MechanismError
        If the mechanism cannot be audited.
    AuditError
        If the program does not run as it must.
    """
    if by_reports(mechanism):
        answers, reports = answers_of(mechanism), mechanism.reports
        return judge(count_reports(command, answers, reports, trials, timeout_seconds), mechanism)
    return judge_events(count_events(command, view_of(mechanism), trials, timeout_seconds))
