"""Waitress's own errors as problem documents, and no chunked bodies.

Waitress answers malformed and oversized requests before the application sees them. Without this
such answers would be plain text without our headers.
"""

from typing import ClassVar, Final
from weakref import WeakSet

from waitress.channel import HTTPChannel  # type: ignore[import-untyped]
from waitress.parser import (  # type: ignore[import-untyped]
    HTTPRequestParser,
    TransferEncodingNotImplemented,
)
from waitress.task import ErrorTask  # type: ignore[import-untyped]
from waitress.utilities import Error  # type: ignore[import-untyped]

from tossup.server.web.middleware.headers import ALWAYS, CROSS_ORIGIN
from tossup.server.web.middleware.problems import CODES, problem_body
from tossup.shared.wire import PROBLEM_TYPE

#: Bytes of all bodies together that are on their way or wait to be handled, as they are declared.
MOST_BODY_BYTES: Final = 128 << 20

_CODE_OF_STATUS: Final = {
    503: "busy",
    413: "too-large",
    431: "headers-too-large",
    501: "length-required",
}


class _TooManyBodiesError(Error):  # type: ignore[misc]
    code = 503
    reason = "Service Unavailable"


class _Parser(HTTPRequestParser):  # type: ignore[misc]
    """Parses one request, with a bound on what all of them together may hold.

    Thousands of connections could each send a body but for its last byte. Only waitress's one
    loop calls this; a parser is gone once its request is answered or its connection is.
    """

    error: Error | None
    _with_body: ClassVar[WeakSet["_Parser"]] = WeakSet()

    def received(self, data: bytes) -> int:
        consumed: int = super().received(data)
        if self.content_length and self not in self._with_body and not self.error:
            held = sum(parser.content_length for parser in list(self._with_body))
            if held + self.content_length > MOST_BODY_BYTES:
                self.error = _TooManyBodiesError("too many bodies at once")
                self.completed = True
            else:
                self._with_body.add(self)
        return consumed

    def parse_header(self, header_plus: bytes) -> None:
        super().parse_header(header_plus)
        if self.chunked:
            # It would be collected whole before the application could refuse it.
            raise TransferEncodingNotImplemented("send a Content-Length")


class _ProblemTask(ErrorTask):  # type: ignore[misc]
    def execute(self) -> None:
        code = _CODE_OF_STATUS.get(self.request.error.code, "malformed")
        status, title = CODES[code]
        body = problem_body(code, "the HTTP request itself was refused, before it was read")
        self.status = f"{status} {title}"
        self.response_headers += [
            *ALWAYS,
            *CROSS_ORIGIN,
            ("Cache-Control", "no-store"),
            ("Content-Type", PROBLEM_TYPE),
            ("Content-Length", str(len(body))),
        ]
        self.set_close_on_finish()
        self.content_length = len(body)
        self.write(body)


class Channel(HTTPChannel):  # type: ignore[misc]
    """A connection whose refusals look like all others."""

    parser_class = _Parser
    error_task_class = _ProblemTask
