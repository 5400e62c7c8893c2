"""Joint reports given out: to whom, of which surveys, and what is not in them."""

import csv
import secrets
from io import StringIO

import pytest

from tossup.server.surveys.lifecycle import publish
from tossup.shared import wire
from tossup.shared.signing import sign_manifest

PATH = "/v1/surveys/habits-joint/reports.csv"
HEADS = ["version", "attribute_region", "report_ever_tried", "report_rating", "count"]


@pytest.fixture
def send(client, store, joint_survey, publisher_key):
    """Publish the joint survey; send reports (tried, rating, region) to it, return their ids."""
    publish(store, sign_manifest(joint_survey.payload, publisher_key))

    def post(*rows):
        ids = tuple(secrets.token_bytes(16) for _ in rows)
        tried, rating, region = zip(*rows, strict=True)
        columns = {"ever_tried": tried, "rating": rating}
        batch = wire.Batch(joint_survey.digest, ids, columns, {"region": region})
        body = wire.encode_batch(batch, joint_survey)
        sent = client.post("/v1/reports", data=body, content_type=wire.REPORTS_TYPE)
        assert 200 == sent.status_code
        return ids

    return post


def rows_of(response):
    assert 200 == response.status_code, response.text
    return list(csv.DictReader(StringIO(response.text)))


def test_equal_reports_are_counted(client, key, send):
    """A row for each different report, with what was told beside it."""
    send((1, 2, 0), (0, 4, 1), (1, 2, 0))
    send((1, 2, 0), (1, 2, 1))

    assert [
        {
            "version": "1",
            "attribute_region": "north",
            "report_ever_tried": "1",
            "report_rating": "2",
            "count": "3",
        },
        {
            "version": "1",
            "attribute_region": "south",
            "report_ever_tried": "0",
            "report_rating": "4",
            "count": "1",
        },
        {
            "version": "1",
            "attribute_region": "south",
            "report_ever_tried": "1",
            "report_rating": "2",
            "count": "1",
        },
    ] == rows_of(client.get(PATH, headers=key))


def test_neither_ids_nor_days_nor_the_order_of_arrival_are_in_it(client, key, send):
    """The same reports in another order are the same bytes."""
    ids = send((1, 2, 0), (0, 4, 1))
    before = client.get(PATH, headers=key)
    send((0, 4, 1), (1, 2, 0))
    after = client.get(PATH, headers=key)

    assert (
        "version,attribute_region,report_ever_tried,report_rating,count"
        == before.text.splitlines()[0]
    )
    assert before.text.replace(",1\r\n", ",2\r\n") == after.text
    assert not any(one.hex() in after.text for one in ids)
    assert "no-store" == after.headers["Cache-Control"]


def test_withdrawn_reports_are_not_in_it(client, key, send, joint_survey):
    """They count for nobody."""
    gone, _ = send((1, 2, 0), (0, 4, 1))
    body = wire.encode_withdrawal(joint_survey.id, [gone])
    client.post("/v1/withdrawals", data=body, content_type=wire.WITHDRAWALS_TYPE)

    assert ["0"] == [row["report_ever_tried"] for row in rows_of(client.get(PATH, headers=key))]


def test_a_survey_without_reports_has_a_heading(client, key, send):
    """And no row."""
    assert [] == rows_of(client.get(PATH, headers=key))


def test_a_key_is_needed_whether_results_are_published_or_not(client, send):
    """Rows are for those who answer for them."""
    assert 401 == client.get(PATH).status_code


def test_answers_that_travel_alone_are_never_put_together(client, key):
    """Linkage none: refused, with what to do in the next survey."""
    refused = client.get("/v1/surveys/habits-7/reports.csv", headers=key)

    assert (409, "urn:tossup:error:not-joint") == (refused.status_code, refused.json["type"])
    assert 'linkage = "joint"' in refused.json["detail"]


def test_an_unknown_survey_is_unknown(client, key):
    """As everywhere."""
    assert 404 == client.get("/v1/surveys/nowhere/reports.csv", headers=key).status_code


def test_reports_deleted_at_the_end_of_their_retention_are_gone(client, key, send, store):
    """The counters stay; the rows do not."""
    send((1, 2, 0))
    with store.write() as transaction:
        transaction.close_survey("habits-joint")
        transaction.expire("habits-joint")
    refused = client.get(PATH, headers=key)

    assert (410, "urn:tossup:error:reports-expired") == (
        refused.status_code,
        refused.json["type"],
    )
