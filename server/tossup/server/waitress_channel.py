"""Waitress's own errors as problem documents, and no chunked bodies.

Waitress answers malformed and oversized requests before the application sees them. Without this
such answers would be plain text without our headers.
"""

from typing import Final

from waitress.channel import HTTPChannel  # type: ignore[import-untyped]
from waitress.parser import (  # type: ignore[import-untyped]
    HTTPRequestParser,
    TransferEncodingNotImplemented,
)
from waitress.task import ErrorTask  # type: ignore[import-untyped]

from tossup.server.headers import ALWAYS, CROSS_ORIGIN
from tossup.server.problems import CODES, problem_body
from tossup.shared.wire import PROBLEM_TYPE

_CODE_OF_STATUS: Final = {413: "too-large", 431: "headers-too-large", 501: "length-required"}


class _Parser(HTTPRequestParser):  # type: ignore[misc]
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
