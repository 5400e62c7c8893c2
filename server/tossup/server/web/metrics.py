"""Counts of outcomes since the start, as OpenMetrics text. No label names a report or a survey."""

from collections import Counter
from threading import Lock
from typing import Final

OPENMETRICS_TYPE: Final = "application/openmetrics-text; version=1.0.0; charset=utf-8"

_FAMILIES: Final = {
    "tossup_reports": ("outcome", "Reports acknowledged, duplicates included."),
    "tossup_withdrawals": ("outcome", "Withdrawals acknowledged, unknown ids included."),
    "tossup_problems": ("code", "Requests answered with a problem document."),
}


class Metrics:
    """Counters that any thread may raise."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._counts: Counter[tuple[str, str]] = Counter()

    def count_reports(self, number: int) -> None:
        """Count acknowledged reports."""
        self._count("tossup_reports", "received", number)

    def count_withdrawals(self, number: int) -> None:
        """Count acknowledged withdrawals."""
        self._count("tossup_withdrawals", "received", number)

    def count_problem(self, code: str) -> None:
        """Count a request that was refused or failed."""
        self._count("tossup_problems", code, 1)

    def text(self) -> str:
        """Return all counters as OpenMetrics text."""
        with self._lock:
            counts = sorted(self._counts.items())
        lines = []
        for family, (label, help_text) in _FAMILIES.items():
            lines += [f"# TYPE {family} counter", f"# HELP {family} {help_text}"]
            lines += [
                f'{family}_total{{{label}="{value}"}} {number}'
                for (of_family, value), number in counts
                if of_family == family
            ]
        return "\n".join([*lines, "# EOF", ""])

    def _count(self, family: str, value: str, number: int) -> None:
        with self._lock:
            self._counts[family, value] += number
