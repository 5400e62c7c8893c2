"""Audit any program that randomizes answers, from outside: run it, count, judge.

Stage: beside the road, by whoever doubts an SDK, ours or another in any language. A statistical
audit finds what enumeration of our own code cannot see, the coins of a built program; it does
not replace the proof, since it misses excesses of epsilon too small for its trials.
"""

from tossup.server.auditing.errors import AuditError
from tossup.server.auditing.program import count_reports
from tossup.server.auditing.verdict import ALPHA, Verdict, check_auditable, judge

__all__ = ["ALPHA", "AuditError", "Verdict", "check_auditable", "count_reports", "judge"]
