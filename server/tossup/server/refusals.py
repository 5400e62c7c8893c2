"""Why the server does not take something, as values that HTTP turns into problem documents."""

from tossup.shared.errors import TossupError


class Refused(TossupError):  # noqa: N818 - reads as the condition
    """A request that is well formed and cannot be granted.

    ``code`` is the last part of the problem's ``urn:tossup:error:`` type, and ``seconds`` when to
    come again, where that is known better than by the code.
    """

    def __init__(self, message: str, code: str, seconds: int | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.seconds = seconds


class Busy(Refused):
    """More work waits than the server takes on; come back soon."""

    def __init__(self) -> None:
        super().__init__("the server is busy; send the same bytes again later", "busy")
