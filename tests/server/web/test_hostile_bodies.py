"""Bodies that no device sends: each gets a cheap 4xx problem document, and nothing is stored."""

import json
from base64 import b64encode
from collections.abc import Callable

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sweeps import each

from tossup.server.web.services import Services
from tossup.shared.survey import Survey
from tossup.shared.wire import (
    MAX_BODY_BYTES,
    PROBLEM_PREFIX,
    PROBLEM_TYPE,
    REPORTS_TYPE,
    WITHDRAWALS_TYPE,
)

pytestmark = pytest.mark.usefixtures("road")

SENTINEL = "sentinel-5e1f"
IDS = b64encode(bytes(range(48))).decode()


def envelope(survey: Survey, **changes: object) -> dict[str, object]:
    """A good batch of three reports, with some fields changed; a value of ... removes one."""
    good = {
        "v": 1,
        "manifest": survey.digest,
        "ids": IDS,
        "columns": {"ever_tried": "BQ=="},
        "attributes": {"region": "AAAA"},
    }
    return {name: value for name, value in (good | changes).items() if value is not ...}


Make = Callable[[Survey], bytes]


def changed(**changes: object) -> Make:
    return lambda survey: json.dumps(envelope(survey, **changes)).encode()


def replaced(old: str, new: str) -> Make:
    return lambda survey: json.dumps(envelope(survey)).replace(old, new, 1).encode()


def fixed(body: bytes) -> Make:
    return lambda survey: body


CASES: dict[str, tuple[str, Make]] = {
    "blank": ("malformed", fixed(b" ")),
    "not JSON": ("malformed", fixed(SENTINEL.encode())),
    "not UTF-8": ("malformed", fixed(b'{"v":"\xff"}')),
    "UTF-16": ("malformed", lambda survey: json.dumps(envelope(survey)).encode("utf-16")),
    "byte order mark": ("malformed", lambda survey: b"\xef\xbb\xbf" + changed()(survey)),
    "a list": ("malformed", fixed(b"[]")),
    "null": ("malformed", fixed(b"null")),
    "a string": ("malformed", fixed(b'"reports"')),
    "two documents": ("malformed", lambda survey: changed()(survey) * 2),
    "cut short": ("malformed", lambda survey: changed()(survey)[:-1]),
    "NUL after the end": ("malformed", lambda survey: changed()(survey) + b"\0"),
    "NaN": ("malformed", replaced('"v": 1', '"v": NaN')),
    "Infinity": ("malformed", replaced('"v": 1', '"v": -Infinity')),
    "1e999": ("malformed", replaced('"v": 1', '"v": 1e999')),
    "a fraction": ("malformed", replaced('"v": 1', '"v": 1.0')),
    "huge integer": ("malformed", replaced('"v": 1', '"v": 1' + "0" * 5000)),
    "duplicate key": ("malformed", replaced('"v": 1', '"v": 1, "v": 1')),
    "duplicate column": ("malformed", replaced('{"ever', '{"ever_tried": "BQ==", "ever')),
    "100,000 brackets": ("malformed", fixed(b"[" * 100_000)),
    "100,000 objects": ("malformed", fixed(b'{"a":' * 100_000)),
    "half a megabyte of quotes": ("malformed", fixed(b'"' * MAX_BODY_BYTES)),
    "half a megabyte of backslashes": ("malformed", fixed(b'"' + b"\\" * (MAX_BODY_BYTES - 1))),
    "lone surrogate": ("malformed", changed(manifest="\ud800" * 64)),
    "lone surrogate as a column": ("malformed", changed(columns={"\ud800": "BQ=="})),
    "version 2": ("malformed", changed(v=2)),
    "version true": ("malformed", changed(v=True)),
    "version as a string": ("malformed", changed(v="1")),
    "no version": ("malformed", changed(v=...)),
    "no manifest": ("malformed", changed(manifest=...)),
    "manifest is null": ("malformed", changed(manifest=None)),
    "manifest in capitals": ("malformed", changed(manifest="AB" * 32)),
    "manifest unknown": ("manifest-unknown", changed(manifest="0" * 64)),
    "manifest with a newline": (
        "malformed",
        lambda survey: changed(manifest=survey.digest + "\n")(survey),
    ),
    "SQL as a manifest": ("malformed", changed(manifest="' OR 1=1 --")),
    "unknown field": ("malformed", changed(**{SENTINEL: 1})),
    "a device clock": ("malformed", changed(time="2026-03-14T15:09:26Z")),
    "no ids": ("malformed", changed(ids=...)),
    "ids empty": ("malformed", changed(ids="")),
    "ids as a list": ("malformed", changed(ids=[IDS])),
    "ids too short": ("malformed", changed(ids=b64encode(bytes(47)).decode())),
    "ids with a newline": ("malformed", changed(ids=IDS + "\n")),
    "ids with a space": ("malformed", changed(ids=" " + IDS)),
    "ids without padding": ("malformed", changed(ids=b64encode(bytes(32)).decode().rstrip("="))),
    "ids with loose bits": ("malformed", changed(ids=b64encode(bytes(16)).decode()[:-3] + "B==")),
    "ids in base64url": ("malformed", changed(ids="_" * 64)),
    "an id twice": ("malformed", changed(ids=b64encode(bytes(48)).decode())),
    "10,001 ids": (
        "too-many-reports",
        changed(
            ids=b64encode(b"".join(n.to_bytes(16, "big") for n in range(10_001))).decode(),
            columns={"ever_tried": b64encode(bytes(1251)).decode()},
            attributes={"region": b64encode(bytes(10_001)).decode()},
        ),
    ),
    "no columns": ("malformed", changed(columns=...)),
    "columns empty": ("malformed", changed(columns={})),
    "columns as a list": ("malformed", changed(columns=["BQ=="])),
    "column unknown": ("malformed", changed(columns={SENTINEL: "BQ=="})),
    "two questions of an unlinked survey": (
        "malformed",
        changed(columns={"ever_tried": "BQ==", "rating": "AAAA"}),
    ),
    "column null": ("malformed", changed(columns={"ever_tried": None})),
    "column as booleans": ("malformed", changed(columns={"ever_tried": [True, False, True]})),
    "column empty": ("malformed", changed(columns={"ever_tried": ""})),
    "column too long": ("malformed", changed(columns={"ever_tried": "BQU="})),
    "padding bit": ("malformed", changed(columns={"ever_tried": "DQ=="})),
    "rating out of range": ("malformed", changed(columns={"rating": "AAUA"})),
    "rating of 255": ("malformed", changed(columns={"rating": "/wAA"})),
    "no attributes": ("malformed", changed(attributes=...)),
    "attributes null": ("malformed", changed(attributes=None)),
    "attribute unknown": ("malformed", changed(attributes={"region": "AAAA", SENTINEL: "AAAA"})),
    "attribute out of range": ("malformed", changed(attributes={"region": "AAIA"})),
    "attribute too short": ("malformed", changed(attributes={"region": "AAA="})),
    "100,000 keys": (
        "malformed",
        fixed(b'{"' + b'":1,"'.join(b"%d" % n for n in range(40_000)) + b'":1}'),
    ),
    "too large": ("too-large", fixed(b" " * (MAX_BODY_BYTES + 1))),
}


@each("case", CASES)
def test_a_hostile_batch_is_refused_and_nothing_stored(
    client: FlaskClient, services: Services, survey: Survey, case: str
) -> None:
    """The answer is a problem document with the right code that echoes nothing."""
    code, make = CASES[case]
    response = client.post("/v1/reports", data=make(survey), content_type=REPORTS_TYPE)

    assert PROBLEM_TYPE == response.content_type
    assert PROBLEM_PREFIX + code == response.json["type"]
    assert 400 <= response.status_code < 500
    assert response.status_code == response.json["status"]
    assert SENTINEL not in response.text
    assert [] == services.store.tally(survey.id)


def test_the_batch_that_is_changed_above_is_good(client: FlaskClient, survey: Survey) -> None:
    """The table's starting point is accepted, so each case is refused for its own fault."""
    response = client.post("/v1/reports", data=changed()(survey), content_type=REPORTS_TYPE)

    assert 200 == response.status_code


WITHDRAWALS = {
    "blank": b" ",
    "a list": b"[]",
    "version true": b'{"v":true,"survey":"habits-7","ids":"%s"}' % IDS.encode(),
    "no survey": b'{"v":1,"ids":"%s"}' % IDS.encode(),
    "survey is a number": b'{"v":1,"survey":7,"ids":"%s"}' % IDS.encode(),
    "ids with a newline": b'{"v":1,"survey":"habits-7","ids":"%s\\n"}' % IDS.encode(),
    "unknown field": b'{"v":1,"survey":"habits-7","ids":"%s","why":""}' % IDS.encode(),
    "an id twice": b'{"v":1,"survey":"habits-7","ids":"%s"}' % b64encode(bytes(32)),
}


@each("body", WITHDRAWALS.values())
def test_a_hostile_withdrawal_is_refused(client: FlaskClient, body: bytes) -> None:
    """A malformed withdrawal is a 400 problem document."""
    response = client.post("/v1/withdrawals", data=body, content_type=WITHDRAWALS_TYPE)

    assert (400, PROBLEM_TYPE) == (response.status_code, response.content_type)


@each("media_type", ["", "application/xml", "multipart/form-data; boundary=x", "text/html", "json"])
def test_other_media_types_are_refused(
    client: FlaskClient, survey: Survey, media_type: str
) -> None:
    """Only the media types of reports are read."""
    response = client.post("/v1/reports", data=changed()(survey), content_type=media_type)

    assert 415 == response.status_code


def test_a_compressed_body_is_refused(client: FlaskClient, survey: Survey) -> None:
    """No decompression, hence no bomb."""
    response = client.post(
        "/v1/reports",
        data=changed()(survey),
        content_type=REPORTS_TYPE,
        headers={"Content-Encoding": "gzip"},
    )

    assert 415 == response.status_code


def test_no_body_is_refused(client: FlaskClient) -> None:
    """A request without a Content-Length has nothing to read."""
    response = client.post("/v1/reports", content_type=REPORTS_TYPE)

    assert 411 == response.status_code


def test_a_body_of_undeclared_length_is_refused(client: FlaskClient, survey: Survey) -> None:
    """A chunked body is not read at all."""
    response = client.post(
        "/v1/reports",
        data=changed()(survey),
        content_type=REPORTS_TYPE,
        headers={"Transfer-Encoding": "chunked"},
    )

    assert 411 == response.status_code


def test_a_body_shorter_than_declared_is_refused(app: Flask, survey: Survey) -> None:
    """A connection that breaks within the body stores nothing."""
    response = app.test_client().post(
        "/v1/reports",
        data=changed()(survey),
        content_type=REPORTS_TYPE,
        environ_overrides={"CONTENT_LENGTH": "5000"},
    )

    assert 400 == response.status_code
