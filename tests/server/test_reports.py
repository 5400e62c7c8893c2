"""``POST /v1/reports``."""

from collections.abc import Callable
from datetime import date

from flask.testing import FlaskClient

from tossup.server.store import SQLiteStore
from tossup.server.tally import Cell
from tossup.shared.survey import Survey
from tossup.shared.wire import RECEIPT_TYPE, REPORTS_TYPE, Receipt, decode_receipt

Body = Callable[..., bytes]


def test_it_works(client: FlaskClient, store: SQLiteStore, survey: Survey, make_body: Body) -> None:
    """Three reports are acknowledged and counted by value, day and stratum."""
    response = client.post("/v1/reports", data=make_body((1, 0, 1)), content_type=REPORTS_TYPE)

    assert (200, RECEIPT_TYPE) == (response.status_code, response.content_type)
    assert Receipt(3) == decode_receipt(response.data, sent=3)
    day = date(2026, 3, 14)
    assert [Cell(survey.digest, "ever_tried", day, (0,), (1, 2))] == store.tally(survey.id)
