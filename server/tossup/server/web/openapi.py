"""The API described for machines (OpenAPI 3.1), from its own routes.

Paths, methods, what they do and who may call them are the routes'; here stands what these do not
say. Bodies of devices are described by the envelope's own table, so that the two cannot differ.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from flask import Flask
from werkzeug.routing import Rule

from tossup.server.ingest.decoding import ENVELOPE, OPTIONAL
from tossup.server.web.access import does
from tossup.shared.wire import (
    MANIFEST_TYPE,
    PROBLEM_TYPE,
    RECEIPT_TYPE,
    REPORTS_TYPE,
    WITHDRAWALS_TYPE,
)

_DESCRIBED: Final = ("api", "results_api", "ops")
_JSON: Final = "application/json"
_TEXT: Final = "text/plain"
_FILTERS: Final = ("from", "to", "where.ATTRIBUTE", "confidence", "looks")
#: What an endpoint answers, where it is no JSON; and with which status, where it is not 200.
_ANSWERS: Final[Mapping[str, str]] = {
    "api.get_survey": MANIFEST_TYPE,
    "api.get_manifest": MANIFEST_TYPE,
    "api.post_reports": RECEIPT_TYPE,
    "api.post_withdrawals": RECEIPT_TYPE,
    "results_api.get_results_csv": "text/csv",
    "results_api.get_joint_reports": "text/csv",
    "ops.healthz": _TEXT,
    "ops.readyz": _TEXT,
    "ops.metrics": "application/openmetrics-text",
}
_STATUSES: Final[Mapping[str, str]] = {"api.post_survey": "201"}
_QUERIES: Final[Mapping[str, tuple[str, ...]]] = {
    "api.post_survey": ("question_cap",),
    "api.delete_survey": ("losing",),
    "results_api.get_results": _FILTERS,
    "results_api.get_results_csv": _FILTERS,
    "results_api.get_joint": ("questions", *_FILTERS[:-1]),
}

_STRING: Final = {"type": "string"}
_BASE64: Final = {"type": "string", "contentEncoding": "base64"}
_COLUMNS: Final = {"type": "object", "additionalProperties": _BASE64}
_KINDS: Final = {
    "v": {"const": 1},
    "manifest": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
    "ids": _BASE64,
    "columns": _COLUMNS,
    "attributes": _COLUMNS,
    "survey": _STRING,
}


def describe(app: Flask) -> dict[str, object]:
    """Return the OpenAPI document of an application."""
    paths: dict[str, dict[str, object]] = {}
    for rule in app.url_map.iter_rules():
        if rule.endpoint.partition(".")[0] in _DESCRIBED:
            path = rule.rule.replace("<", "{").replace(">", "}")
            operation = _operation(rule, app.view_functions[rule.endpoint])
            for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}:
                paths.setdefault(path, {})[method.lower()] = operation
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Tossup collection server",
            "version": "1",
            "description": "Randomized reports in, debiased estimates out.",
        },
        "paths": dict(sorted(paths.items())),
        "components": {"securitySchemes": {"key": {"type": "http", "scheme": "bearer"}}},
    }


def _operation(rule: Rule, view: Callable[..., Any]) -> dict[str, object]:
    endpoint, summary = rule.endpoint, does(view)
    answer, status = _ANSWERS.get(endpoint, _JSON), _STATUSES.get(endpoint, "200")
    placed = [(name, "path") for name in sorted(rule.arguments)]
    placed += [(name, "query") for name in _QUERIES.get(endpoint, ())]
    operation: dict[str, object] = {
        "summary": summary,
        "parameters": [
            {"name": name, "in": place, "required": place == "path", "schema": _STRING}
            for name, place in placed
        ],
        "responses": {
            status: {"description": summary, "content": {answer: {}}},
            "default": {"description": "A problem (RFC 9457)", "content": {PROBLEM_TYPE: {}}},
        },
    }
    if vars(view)["access"].by == "api-key":
        operation["security"] = [{"key": []}]
    if body := _BODIES.get(endpoint):
        schema, *media_types = body
        content = {kind: {"schema": schema} for kind in media_types}
        operation["requestBody"] = {"required": True, "content": content}
    return operation


def _object(names: Iterable[str]) -> dict[str, object]:
    properties = {name: _KINDS[name] for name in names}
    return {
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if name not in OPTIONAL],
        "additionalProperties": False,
    }


#: The schema of what an endpoint takes, and its media types.
_BODIES: Final[Mapping[str, tuple[Any, ...]]] = {
    "api.post_survey": ({"type": "object"}, MANIFEST_TYPE, _JSON),
    "api.post_reports": (_object(ENVELOPE), REPORTS_TYPE, _JSON, _TEXT),
    "api.post_withdrawals": (_object(("v", "survey", "ids")), WITHDRAWALS_TYPE, _JSON, _TEXT),
}
