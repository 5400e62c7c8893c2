"""Every error that device and server share, as one tree.

::

    TossupError
    ├── MechanismError        a design that cannot protect, or cannot be estimated
    ├── AnswerError           an answer outside the declared ones; nothing was tossed
    ├── ManifestError         a survey manifest that must not be followed
    │   └── SignatureError    the manifest is not signed by the pinned publisher
    ├── AccountingError       figures from which no promise of privacy follows
    └── WireError             bytes that are not what the protocol allows

A message says what happened, why, and what to do next. It never contains an answer.
"""

import copyreg


class TossupError(Exception):
    """Base of every error that Tossup raises on purpose.

    Each can be copied and pickled, whatever its constructor takes: a copy has the same message and
    attributes, and the constructor does not run again.
    """

    def __reduce__(self) -> tuple[object, ...]:
        return copyreg.__newobj__, (type(self), *self.args), vars(self)  # type: ignore[attr-defined]


class MechanismError(TossupError):
    """A design that cannot protect an answer, or from which nothing can be estimated."""


class AnswerError(TossupError):
    """An answer outside the declared ones. It was refused before any coin was tossed."""


class ManifestError(TossupError):
    """A survey manifest that is malformed, unknown in version, or inconsistent."""


class SignatureError(ManifestError):
    """A manifest that the pinned publisher did not sign."""


class AccountingError(TossupError):
    """Figures from which no promise of privacy follows: not a number, negative, or no count."""


class WireError(TossupError):
    """Bytes that the protocol does not allow. Nothing was read from them.

    ``code`` is the last part of the problem's ``urn:tossup:error:`` type.
    """

    def __init__(self, message: str, code: str = "malformed") -> None:
        super().__init__(message)
        self.code = code
