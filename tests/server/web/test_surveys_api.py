"""``/v1/surveys`` and ``/v1/manifests``: published, read, listed, closed."""

import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from unittest import mock

import pytest
from click.testing import CliRunner
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from flask import Flask
from flask.testing import FlaskClient

from tossup.server.catalogue import design
from tossup.server.cli.root import root
from tossup.server.store.records import StorageFailed
from tossup.server.surveys.lifecycle import delete
from tossup.server.web.services import Services
from tossup.shared.kinds.number import Grid
from tossup.shared.mechanisms import GridMechanism, SquareWave, TruncatedGeometric
from tossup.shared.signing import public_bytes, sign_manifest
from tossup.shared.survey import Question, Survey
from tossup.shared.wire import (
    MANIFEST_TYPE,
    REPORTS_TYPE,
    WITHDRAWALS_TYPE,
    Batch,
    encode_batch,
    encode_withdrawal,
)

Key = dict[str, str]
SAME_ORIGIN = {"Sec-Fetch-Site": "same-origin"}


@pytest.fixture
def sign(publisher_key: Ed25519PrivateKey) -> Callable[[Survey], bytes]:
    return lambda survey: sign_manifest(survey.payload, publisher_key)


@pytest.fixture
def post(client: FlaskClient, key: Key) -> Callable[[bytes], tuple[int, str | None]]:
    """Publish an envelope; return status and the problem's code."""

    def send(envelope: bytes) -> tuple[int, str | None]:
        response = client.post(
            "/v1/surveys", data=envelope, content_type=MANIFEST_TYPE, headers=key
        )
        return response.status_code, response.json.get("type", "").rpartition(":")[2] or None

    return send


def test_it_works(client: FlaskClient, key: Key, joint_survey: Survey, sign) -> None:
    """A published survey can be read by anyone, as it was signed."""
    envelope = sign(joint_survey)
    made = client.post("/v1/surveys", data=envelope, content_type=MANIFEST_TYPE, headers=key)
    read = client.get(f"/v1/surveys/{joint_survey.id}")

    assert 201 == made.status_code
    assert ("habits-joint", 1, joint_survey.digest) == tuple(
        made.json[key] for key in ("survey", "version", "manifest")
    )
    assert (200, MANIFEST_TYPE, envelope) == (read.status_code, read.content_type, read.data)


def test_a_question_that_devices_refuse_is_refused_unless_its_cap_is_named(
    client, key, sign, survey
):
    """Whatever tool posts it; a next version as well."""
    dear = replace(survey.questions[0], mechanism=design("randomized-response", 2, Fraction(81)))
    made = sign(replace(survey, id="dear", questions=(dear, *survey.questions[1:])))
    found = {}
    for query in ("", "?question_cap=80", "?question_cap=81", "?cap=81", "?question_cap=1/2"):
        answer = client.post(
            f"/v1/surveys{query}", data=made, content_type=MANIFEST_TYPE, headers=key
        )
        found[query] = answer.status_code

    assert [422, 422, 201, 422, 422] == list(found.values())


def test_publishing_the_same_again_changes_nothing(post, envelope: bytes) -> None:
    """A retry after a lost answer succeeds."""
    assert (201, None) == post(envelope)


def test_the_next_version_follows(client: FlaskClient, post, sign, survey: Survey) -> None:
    """A later version by the same key that names its predecessor becomes the current one."""
    newer = replace(survey, version=2, previous=survey.digest)

    assert (201, None) == post(sign(newer))
    assert f'"{newer.digest}"' == client.get("/v1/surveys/habits-7").headers["ETag"]
    assert 200 == client.get(f"/v1/manifests/{survey.digest}").status_code


@pytest.mark.parametrize(
    "changes",
    [
        {"minimum_batch": 1},
        {"version": 3},
        {"version": 2, "previous": "0" * 64},
        {"id": "new-one", "version": 2, "previous": "0" * 64},
    ],
    ids=["same version", "skips one", "other predecessor", "starts at 2"],
)
def test_a_manifest_that_does_not_follow_is_refused(
    post, sign, survey: Survey, changes: dict[str, object]
) -> None:
    """Neither rewriting a version nor skipping one is possible."""
    if changes.get("version") == 3:
        changes = changes | {"previous": survey.digest}

    assert (409, "survey-conflict") == post(sign(replace(survey, **changes)))


def test_another_publisher_cannot_take_a_survey_over(post, survey: Survey) -> None:
    """The key of the first version is the key of all versions."""
    thief = Ed25519PrivateKey.generate()
    publisher = replace(survey.publisher, key=public_bytes(thief))
    stolen = replace(survey, version=2, previous=survey.digest, publisher=publisher)

    assert (409, "survey-conflict") == post(sign_manifest(stolen.payload, thief))


def test_a_wrong_signature_is_refused(post, joint_survey: Survey) -> None:
    """The publisher named in the manifest must have signed it."""
    forged = sign_manifest(joint_survey.payload, Ed25519PrivateKey.generate())

    assert (422, "manifest-invalid") == post(forged)


@pytest.mark.parametrize(
    "design",
    [
        TruncatedGeometric.for_odds(256, Fraction(60_000, 59_999)),
        TruncatedGeometric.for_odds(11, Fraction(1000001, 1000000)),
        SquareWave(1024, window=60_000),
    ],
    ids=["fine grid", "odds near 1", "huge table"],
)
def test_a_number_that_tells_nothing_is_refused(
    post, survey: Survey, sign, design: GridMechanism
) -> None:
    """A channel that floats cannot invert, or that nothing could be estimated from in time."""
    grid = Grid.integers(0, design.answers - 1)
    question = Question("hours", "hours", {"en": "How many?"}, (), design, grid)

    assert (422, "manifest-invalid") == post(sign(replace(survey, questions=(question,))))


@pytest.mark.parametrize(
    "body", [b"{}", b"[]", b"null", b'{"payload":1}', b'{"payload":"!"}', b"\xff", b"[" * 100_000]
)
def test_what_is_no_envelope_is_refused(post, body: bytes) -> None:
    """Malformed envelopes are a 422 problem."""
    assert (422, "manifest-invalid") == post(body)


def test_an_unchanged_manifest_is_not_sent_again(client: FlaskClient, survey: Survey) -> None:
    """The digest is the ETag."""
    response = client.get("/v1/surveys/habits-7", headers={"If-None-Match": f'"{survey.digest}"'})

    assert (304, b"") == (response.status_code, response.data)


def test_a_manifest_by_digest_is_kept_for_ever(
    client: FlaskClient, survey: Survey, envelope: bytes
) -> None:
    """What a digest names cannot change, so caches may keep it."""
    response = client.get(f"/v1/manifests/{survey.digest}")

    assert envelope == response.data
    assert "public, max-age=31536000, immutable" == response.headers["Cache-Control"]


@pytest.mark.parametrize(
    ("path", "code"),
    [("surveys/nowhere", "survey-unknown"), (f"manifests/{'0' * 64}", "manifest-unknown")],
)
def test_what_is_not_here_is_not_found(client: FlaskClient, path: str, code: str) -> None:
    """Unknown ids are 404 problems."""
    response = client.get(f"/v1/{path}")

    assert 404 == response.status_code
    assert response.json["type"].endswith(code)


def test_the_list_says_how_each_stands(
    client: FlaskClient, key: Key, survey: Survey, make_body
) -> None:
    """The list holds what a researcher's tool shows."""
    client.post("/v1/reports", data=make_body(), content_type=REPORTS_TYPE)

    assert {
        "surveys": [
            {
                "id": "habits-7",
                "title": {"en": "Habits"},
                "state": "open",
                "version": 1,
                "manifest": survey.digest,
                "reports": 3,
                "respondents": None,
                "opens": None,
                "closes": None,
                "linkage": "none",
                "minimum_batch": 100,
                "results": "private",
            }
        ]
    } == client.get("/v1/surveys", headers=key).json


@pytest.fixture
def damaged(app: Flask, services: Services, post, sign, survey: Survey) -> FlaskClient:
    """The server as it finds two of three surveys damaged, one in an earlier version alone.

    A fourth one was deleted before.
    """
    again = replace(survey, version=2, previous=replace(survey, id="earlier").digest, id="earlier")
    of = (replace(survey, id=name) for name in ("a-damaged", "deleted", "earlier"))
    for each in (*of, again):
        assert (201, None) == post(sign(each))
    store = services.store
    delete(store, "deleted", losing=0)
    whole = "UPDATE manifests SET envelope = ? WHERE survey IN ('a-damaged', 'deleted')"
    store._change(whole, b"\0" * 9)
    first = "UPDATE manifests SET envelope = ? WHERE survey = 'earlier' AND version = 1"
    store._change(first, b"\0" * 9)
    store._parsed._surveys.clear()
    return app.test_client()


def test_a_damaged_survey_hides_no_other(
    damaged: FlaskClient, key: Key, services: Services, post, sign, survey: Survey, caplog
) -> None:
    """It is named to owners, counted for operators, and the next one can be published."""
    listed = damaged.get("/v1/surveys", headers=key)
    logged = [record.getMessage() for record in caplog.records]
    damaged.post("/sign-in/" + services.auth.create_link(), headers=SAME_ORIGIN)
    page = damaged.get("/")
    told = re.search(r"^tossup_damaged_surveys (.+)$", damaged.get("/metrics").text, re.M)[1]

    assert ["habits-7"] == [each["id"] for each in listed.json["surveys"]]
    assert ["a-damaged", "earlier"] == listed.json["damaged"]
    assert ["surveys that are damaged: 2; tossup doctor names them"] == logged
    assert (200, 1) == (page.status_code, page.text.count('<h2><a href="/surveys/'))
    assert ["a-damaged", "earlier"] == re.findall("The survey ([a-z-]+) is damaged and", page.text)
    assert "2" == told
    assert (201, None) == post(sign(replace(survey, id="another")))


def test_what_is_asked_of_a_damaged_survey_is_refused_with_the_reason(
    damaged: FlaskClient, key: Key, survey: Survey
) -> None:
    """Devices keep what they have, and send it once a backup is restored."""
    of = replace(survey, id="a-damaged")
    attributes = {attribute.id: (0,) for attribute in of.attributes}
    batch = Batch(of.digest, (b"1" * 16,), {"ever_tried": (0,)}, attributes)
    answers = [
        damaged.post("/v1/reports", data=encode_batch(batch, of), content_type=REPORTS_TYPE),
        damaged.post(
            "/v1/withdrawals",
            data=encode_withdrawal(of.id, [b"1" * 16]),
            content_type=WITHDRAWALS_TYPE,
        ),
        damaged.get("/v1/surveys/a-damaged", headers=key),
        damaged.get("/v1/surveys/a-damaged/results", headers=key),
    ]

    assert {(503, "3600")} == {(a.status_code, a.headers["Retry-After"]) for a in answers}
    assert {"urn:tossup:error:survey-damaged"} == {answer.json["type"] for answer in answers}
    assert all("restore a backup" in answer.json["detail"] for answer in answers)


def test_whoever_has_damaged_surveys_alone_is_not_asked_to_begin(
    damaged: FlaskClient, services: Services
) -> None:
    """The list is not empty, though it has no row."""
    services.store._change("UPDATE manifests SET envelope = ?", b"\0" * 9)
    services.store._parsed._surveys.clear()
    damaged.post("/sign-in/" + services.auth.create_link(), headers=SAME_ORIGIN)
    page = damaged.get("/").text

    assert 3 == page.count("is damaged and")
    assert "No survey" not in page


def test_commands_name_a_damaged_survey(damaged: FlaskClient, key: Key, monkeypatch) -> None:
    """The list goes on with the others; who asks for it is told what to do."""
    monkeypatch.setattr(
        "tossup.server.cli.api.Server.get",
        lambda *_: damaged.get("/v1/surveys", headers=key).json,
    )
    listed = CliRunner().invoke(root, ["survey", "list"])
    asked = CliRunner().invoke(root, ["survey", "show", "a-damaged"])

    assert (0, 1) == (listed.exit_code, listed.stdout.count("habits-7"))
    assert "The survey a-damaged is damaged; run tossup doctor on the server" in listed.stderr
    assert (1, True) == (asked.exit_code, "run tossup doctor on the server" in asked.stderr)


def test_a_closed_survey_takes_nothing_more(
    client: FlaskClient, key: Key, post, sign, survey: Survey, make_body
) -> None:
    """After closing: no manifest, no report, no withdrawal, no new version; closing again is ok."""
    closing = [client.post("/v1/surveys/habits-7/close", headers=key) for _ in range(2)]
    read = client.get("/v1/surveys/habits-7")
    sent = client.post("/v1/reports", data=make_body(), content_type=REPORTS_TYPE)

    assert [{"id": "habits-7", "state": "closed"}] * 2 == [answer.json for answer in closing]
    assert [410, 410] == [read.status_code, sent.status_code]
    assert sent.json["type"].endswith("survey-closed")
    newer = replace(survey, version=2, previous=survey.digest)
    assert (409, "survey-conflict") == post(sign(newer))


def test_closing_an_unknown_survey_is_not_found(client: FlaskClient, key: Key) -> None:
    """There is nothing to close."""
    assert 404 == client.post("/v1/surveys/nowhere/close", headers=key).status_code


def test_surveys_do_not_mix(
    client: FlaskClient, services, post, sign, survey: Survey, make_body, make_batch
) -> None:
    """The same report id in two surveys is two reports; each tally holds its own."""
    other = replace(survey, id="other")
    post(sign(other))
    ids = (b"\x07" * 16,)
    for body in (
        make_body((1,), ids=ids),
        encode_batch(make_batch((0,), ids=ids, of=other), other),
    ):
        client.post("/v1/reports", data=body, content_type=REPORTS_TYPE)

    assert [(0, 1)] == [cell.counts for cell in services.store.tally("habits-7")]
    assert [(1, 0)] == [cell.counts for cell in services.store.tally("other")]


def test_respondents_are_told_in_their_language_what_is_wrong(client, services, monkeypatch):
    """A browser gets a page, whatever goes wrong; a program gets the problem, as before."""
    browser = {"Accept": "text/html", "Accept-Language": "zh-CN"}
    faults = (
        (StorageFailed("gone"), 503, "服务器繁忙"),
        (ZeroDivisionError("a true answer"), 500, "服务器出错了"),
    )
    for error, status, said in faults:
        monkeypatch.setattr(services.store, "survey", mock.Mock(side_effect=error))
        page = client.get("/v1/surveys/habits-7", headers=browser)
        privacy = client.get("/v1/surveys/habits-7/privacy", headers=browser)
        document = client.get("/v1/surveys/habits-7")

        assert [status] * 3 == [each.status_code for each in (page, privacy, document)]
        assert document.mimetype == "application/problem+json"
        for each in (page, privacy):
            assert each.mimetype == "text/html"
            assert said in each.text
            assert "您的设备没有抛硬币" in each.text
            assert "a true answer" not in each.text
            assert each.headers.get("Retry-After") == document.headers.get("Retry-After")
