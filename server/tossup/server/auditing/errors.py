"""What can be wrong with an audited program, apart from its coins.

::

    AuditError
    ├── CannotStartError   there is no such program
    ├── CrashedError       it ended with an error
    ├── HungError          it gave no report for too long
    ├── MalformedError     a line is no report
    └── WrongCountError    it gave fewer or more reports than answers
"""

from tossup.shared.errors import TossupError


class AuditError(TossupError):
    """A program that could not be audited. Nothing is known about its coins."""


class CannotStartError(AuditError):
    """There is no such program, or it may not be run."""


class CrashedError(AuditError):
    """The program ended with an error."""


class HungError(AuditError):
    """The program gave no report for too long; it was stopped."""


class MalformedError(AuditError):
    """A line of the program's output is no possible report."""


class WrongCountError(AuditError):
    """The program gave fewer or more reports than it got answers."""
