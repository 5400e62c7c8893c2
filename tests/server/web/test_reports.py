"""``POST /v1/reports``."""

from collections.abc import Callable
from datetime import date

import pytest
from flask.testing import FlaskClient

from tossup.server.store import SQLiteStore
from tossup.server.store.tally import Cell
from tossup.shared.survey import Survey
from tossup.shared.wire import RECEIPT_TYPE, REPORTS_TYPE, Receipt, decode_receipt

pytestmark = pytest.mark.usefixtures("road")

Body = Callable[..., bytes]


def test_it_works(client: FlaskClient, store: SQLiteStore, survey: Survey, make_body: Body) -> None:
    """Three reports are acknowledged and counted by value, day and stratum."""
    response = client.post("/v1/reports", data=make_body((1, 0, 1)), content_type=REPORTS_TYPE)

    assert (200, RECEIPT_TYPE) == (response.status_code, response.content_type)
    assert Receipt(3) == decode_receipt(response.data, sent=3)
    day = date(2026, 3, 14)
    assert [Cell(survey.digest, "ever_tried", day, (0,), (1, 2))] == store.tally(survey.id)


def test_reports_are_counted_by_group(
    client: FlaskClient, store: SQLiteStore, survey: Survey, make_body: Body
) -> None:
    """A public attribute that is sent with a report decides the cell it counts in."""
    for region, values in ((0, (1,)), (1, (0, 0))):
        body = make_body(values, region=region)
        client.post("/v1/reports", data=body, content_type=REPORTS_TYPE)

    found = [(cell.stratum, cell.counts) for cell in store.tally(survey.id)]
    assert [((0,), (0, 1)), ((1,), (2, 0))] == found


def test_every_accepted_media_type_is_read_alike(client: FlaskClient, make_body: Body) -> None:
    """A browser may send text/plain, which needs no preflight."""
    kinds = (REPORTS_TYPE, "application/json", "text/plain;charset=UTF-8")
    statuses = [
        client.post("/v1/reports", data=make_body(), content_type=kind).status_code
        for kind in kinds
    ]

    assert [200, 200, 200] == statuses


def test_the_last_day_is_that_of_the_last_report(
    client: FlaskClient, store: SQLiteStore, survey: Survey, make_body: Body
) -> None:
    """The server's day, UTC."""
    client.post("/v1/reports", data=make_body(), content_type=REPORTS_TYPE)

    assert date(2026, 3, 14) == store.last_day(survey.id)
