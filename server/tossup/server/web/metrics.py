"""Counts of outcomes since the start, and rates that jump, as OpenMetrics text.

Anyone may read this: no label names a report, nor a survey to someone who does not know its id.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from hashlib import sha256
from threading import Lock
from typing import Final

from tossup.server.results.jumps import stands_out

OPENMETRICS_TYPE: Final = "application/openmetrics-text; version=1.0.0; charset=utf-8"

_FAMILIES: Final = {
    "tossup_reports": ("outcome", "Reports acknowledged, duplicates included."),
    "tossup_withdrawals": ("outcome", "Withdrawals acknowledged, unknown ids included."),
    "tossup_problems": ("code", "Requests answered with a problem document."),
}


class Rate:
    """How many came in this hour, and the most in any hour before."""

    def __init__(self) -> None:
        self._hour = self._now = self._most = self._hours = 0
        self._jumped = -2  # the last whole hour that stood out

    def add(self, number: int, hour: int) -> None:
        """Count so many in an hour; the hours may count from anywhere."""
        self._go_to(hour)
        self._now += number

    def jumps(self, hour: int) -> bool:
        """Return whether this hour, or the one before, stands out of all before it."""
        self._go_to(hour)
        return self._stands_out() or self._jumped == hour - 1

    def _stands_out(self) -> bool:
        return stands_out(self._now, most=self._most, periods=self._hours)

    def _go_to(self, hour: int) -> None:
        if hour == self._hour:
            return
        if self._now:
            self._jumped = self._hour if self._stands_out() else self._jumped
            self._most, self._hours = max(self._most, self._now), self._hours + 1
        self._hour, self._now = hour, 0


_JUMP_HELP: Final = (
    "1 while a survey gets far more than in any hour before; survey: first 12 hex digits of the"
    " SHA-256 of its id."
)


@dataclass(frozen=True, slots=True)
class Gauge:
    """What is so at the moment: a name as OpenMetrics has it, one sentence, and a number."""

    name: str
    help: str
    value: float

    def lines(self) -> list[str]:
        """Return it as OpenMetrics text."""
        return [
            f"# TYPE {self.name} gauge",
            f"# HELP {self.name} {self.help}",
            f"{self.name} {self.value:.15g}",
        ]


class Metrics:
    """Counters that any thread may raise.

    Parameters
    ----------
    codes
        Of all problems there are. Each is told from the start on, as 0: whoever watches sees no
        increase where a counter comes into being as 1.
    now
        Seconds of a clock that never goes back.
    """

    def __init__(
        self, codes: Iterable[str] = (), now: Callable[[], float] = time.monotonic
    ) -> None:
        self._lock = Lock()
        self._counts: Counter[tuple[str, str]] = Counter(
            {("tossup_problems", code): 0 for code in codes}
            | {(f"tossup_{of}", "received"): 0 for of in ("reports", "withdrawals")}
        )
        self._rates: dict[tuple[str, str], Rate] = {}
        self._now = now

    def count_received(self, survey_id: str, of: str, number: int) -> None:
        """Count what a survey acknowledged: ``reports`` or ``withdrawals``."""
        survey = sha256(survey_id.encode()).hexdigest()[:12]
        with self._lock:
            self._counts[f"tossup_{of}", "received"] += number
            self._rates.setdefault((survey, of), Rate()).add(number, self._hour())

    def count_problem(self, code: str) -> None:
        """Count a request that was refused or failed."""
        self._count("tossup_problems", code, 1)

    def text(self, gauges: Iterable[Gauge] = ()) -> str:
        """Return all counters, and what is so at the moment, as OpenMetrics text."""
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
        now = [line for gauge in gauges for line in gauge.lines()]
        return "\n".join([*lines, *self._jumps(), *now, "# EOF", ""])

    def _jumps(self) -> list[str]:
        with self._lock:
            hour = self._hour()
            found = {key: rate.jumps(hour) for key, rate in sorted(self._rates.items())}
        return [
            "# TYPE tossup_jump gauge",
            f"# HELP tossup_jump {_JUMP_HELP}",
            *(
                f'tossup_jump{{survey="{survey}",of="{of}"}} {int(jumps)}'
                for (survey, of), jumps in found.items()
            ),
        ]

    def _hour(self) -> int:
        return int(self._now() // 3600)

    def _count(self, family: str, value: str, number: int) -> None:
        with self._lock:
            self._counts[family, value] += number
