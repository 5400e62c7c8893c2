"""How a program writes a report: one line with the digits of a number, and nothing else."""

import re
from typing import Final

from tossup.server.auditing.errors import MalformedError

_REPORT: Final = re.compile(rb"(0|[1-9][0-9]*)(\r?\n)?")


def report_of(line: bytes, reports: int) -> int:
    """Return the report that a line holds.

    >>> report_of(b"17", 32)
    17

    Raises
    ------
    MalformedError
        If it holds anything but the digits of a number below ``reports``.
    """
    found = _REPORT.fullmatch(line)
    value = int(found[1]) if found else reports
    if value >= reports:
        raise MalformedError(
            f"the program wrote {line!r}; a report is a line with a number from 0 to {reports - 1}"
        )
    return value
