"""Routes for those who run the server: alive, ready, metrics, description.

Stage: HTTP.
"""

from flask import Blueprint, Response, current_app

from tossup.server.refusals import Refused
from tossup.server.store.records import StorageFailed
from tossup.server.web.access import public
from tossup.server.web.gauges import gauges
from tossup.server.web.metrics import OPENMETRICS_TYPE
from tossup.server.web.openapi import describe
from tossup.server.web.services import services
from tossup.shared.strict_json import dumps

ops = Blueprint("ops", __name__)


@ops.get("/healthz")
@public
def healthz() -> Response:
    """Answer while the process runs."""
    return Response("ok\n", content_type="text/plain; charset=utf-8")


@ops.get("/readyz")
@public
def readyz() -> Response:
    """Answer 200 while reports can be stored, else 503 with the reason."""
    try:
        services().store.check_writable()
    except StorageFailed as error:
        raise Refused(f"reports cannot be stored: {error}", "storage") from error
    return Response("ready\n", content_type="text/plain; charset=utf-8")


@ops.get("/metrics")
@public
def metrics() -> Response:
    """Return counts of outcomes, and what is so at the moment, as OpenMetrics text."""
    text = services().metrics.text(gauges(services()))
    return Response(text, content_type=OPENMETRICS_TYPE)


@ops.get("/v1/openapi.json")
@public
def openapi() -> Response:
    """Describe this API."""
    return Response(dumps(describe(current_app)), content_type="application/json")
