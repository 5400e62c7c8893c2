"""The API described for machines (OpenAPI 3.1). A test compares it with the routes.

Bodies of devices are described by the envelope's own table, so that the two cannot differ.
"""

from typing import Any, Final

from tossup.server.ingest.decoding import ENVELOPE, OPTIONAL
from tossup.shared.wire import (
    MANIFEST_TYPE,
    PROBLEM_TYPE,
    RECEIPT_TYPE,
    REPORTS_TYPE,
    WITHDRAWALS_TYPE,
)

_JSON: Final = "application/json"
_TEXT: Final = "text/plain"
_KEY: Final[list[dict[str, list[str]]]] = [{"key": []}]
_STRING: Final = {"type": "string"}
_OBJECT: Final = {"type": "object"}
_BASE64: Final = {"type": "string", "contentEncoding": "base64"}
_COLUMNS: Final = {"type": "object", "additionalProperties": _BASE64}
_KINDS: Final = {
    "v": {"const": 1},
    "manifest": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
    "ids": _BASE64,
    "columns": _COLUMNS,
    "attributes": _COLUMNS,
}


def describe() -> dict[str, object]:
    """Return the OpenAPI document."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Tossup collection server",
            "version": "1",
            "description": "Randomized reports in, debiased estimates out.",
        },
        "paths": _devices() | _researchers() | _operations(),
        "components": {"securitySchemes": {"key": {"type": "http", "scheme": "bearer"}}},
    }


def _devices() -> dict[str, object]:
    sent = (REPORTS_TYPE, _JSON, _TEXT)
    return {
        "/v1/surveys/{survey_id}": {
            "get": _operation(
                "The current signed manifest of an open survey", MANIFEST_TYPE, path=("survey_id",)
            ),
            "delete": _operation(
                "Delete a survey for good, if it has no more reports than losing says (0)",
                _JSON,
                path=("survey_id",),
                query=("losing",),
                security=_KEY,
            ),
        },
        "/v1/manifests/{digest}": {
            "get": _operation(
                "A signed manifest by its SHA-256, for ever", MANIFEST_TYPE, path=("digest",)
            )
        },
        "/v1/reports": {
            "post": _operation(
                "Receive randomized reports; answered after the durable commit",
                RECEIPT_TYPE,
                body=_body(_envelope(), *sent),
            )
        },
        "/v1/withdrawals": {
            "post": _operation(
                "Take reports back; the answer is the same for unknown ids",
                RECEIPT_TYPE,
                body=_body(_withdrawal(), WITHDRAWALS_TYPE, _JSON, _TEXT),
            )
        },
    }


def _researchers() -> dict[str, object]:
    one = ("survey_id",)
    filters = ("from", "to", "where.ATTRIBUTE", "confidence", "looks")
    return {
        "/v1/surveys": {
            "get": _operation("What is known of every survey", _JSON, security=_KEY),
            "post": _operation(
                "Publish a signed manifest",
                _JSON,
                status="201",
                query=("question_cap",),
                security=_KEY,
                body=_body(_OBJECT, MANIFEST_TYPE, _JSON),
            ),
        },
        "/v1/surveys/{survey_id}/close": {
            "post": _operation("Close a survey", _JSON, path=one, security=_KEY)
        },
        "/v1/surveys/{survey_id}/reopen": {
            "post": _operation(
                "Open a survey again that was closed by hand, until its last day",
                _JSON,
                path=one,
                security=_KEY,
            )
        },
        "/v1/surveys/{survey_id}/results": {
            "get": _operation("Estimates with intervals and n", _JSON, path=one, query=filters)
        },
        "/v1/surveys/{survey_id}/results.csv": {
            "get": _operation("The same as CSV", "text/csv", path=one, query=filters)
        },
        "/v1/surveys/{survey_id}/reports.csv": {
            "get": _operation(
                "Joint reports, equal ones counted", "text/csv", path=one, security=_KEY
            )
        },
        "/v1/surveys/{survey_id}/joint": {
            "get": _operation(
                "Two questions together, where answers travel together",
                _JSON,
                path=one,
                query=("questions", *filters[:-1]),
            )
        },
    }


def _operations() -> dict[str, object]:
    return {
        "/healthz": {"get": _operation("The process runs", _TEXT)},
        "/readyz": {"get": _operation("Reports can be stored", _TEXT)},
        "/metrics": {
            "get": _operation(
                "Counts of outcomes, and rates that jump", "application/openmetrics-text"
            )
        },
        "/v1/openapi.json": {"get": _operation("This document", _JSON)},
    }


def _operation(
    summary: str,
    answer: str,
    *,
    status: str = "200",
    path: tuple[str, ...] = (),
    query: tuple[str, ...] = (),
    security: list[dict[str, list[str]]] | None = None,
    body: dict[str, object] | None = None,
) -> dict[str, object]:
    operation: dict[str, object] = {
        "summary": summary,
        "parameters": [_parameter(name, "path") for name in path]
        + [_parameter(name, "query") for name in query],
        "responses": {
            status: {"description": summary, "content": {answer: {}}},
            "default": {"description": "A problem (RFC 9457)", "content": {PROBLEM_TYPE: {}}},
        },
    }
    if security is not None:
        operation["security"] = security
    if body is not None:
        operation["requestBody"] = body
    return operation


def _parameter(name: str, place: str) -> dict[str, object]:
    return {"name": name, "in": place, "required": place == "path", "schema": _STRING}


def _body(schema: dict[str, Any], *media_types: str) -> dict[str, object]:
    return {"required": True, "content": {kind: {"schema": schema} for kind in media_types}}


def _envelope() -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {name: _KINDS[name] for name in ENVELOPE},
        "required": [name for name in ENVELOPE if name not in OPTIONAL],
        "additionalProperties": False,
    }


def _withdrawal() -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {"v": {"const": 1}, "survey": _STRING, "ids": _BASE64},
        "required": ["v", "survey", "ids"],
        "additionalProperties": False,
    }
