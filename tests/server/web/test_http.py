"""What holds for every answer, on both roads: headers, problem documents, hosts, no cookies."""

import logging

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sweeps import each

from tossup.server.config import Config
from tossup.server.store import SQLiteStore, StorageFailed
from tossup.server.web.app import create_app
from tossup.server.web.middleware.problems import CODES
from tossup.server.web.services import Services
from tossup.shared.wire import PROBLEM_TYPE, REPORTS_TYPE

pytestmark = pytest.mark.usefixtures("road")

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
    " form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
#: On respondents' pages no form may be sent anywhere, so that no answer gets into an address.
RESPONDENT = POLICY.replace("form-action 'self'", "form-action 'none'")
METHODS = ("GET", "POST", "PUT", "DELETE", "OPTIONS", "HEAD")


def every_answer(app: Flask, methods=METHODS, **options: object):
    """Path, method and answer of every route with every method, and of no route at all."""
    paths = {
        rule.rule.replace("<survey_id>", "habits-7").replace("<digest>", "0" * 64)
        for rule in app.url_map.iter_rules()
    }
    for path in [*sorted(paths), "/nothing-here", "/assets/nothing-here", "/assets/../caching.py"]:
        for method in methods:
            yield path, method, app.test_client().open(path, method=method, **options)


def test_every_answer_carries_the_security_headers(app: Flask) -> None:
    """Errors, redirects and static files included; each header once."""
    for path, method, response in every_answer(app):
        where = f"{method} {path}"

        assert response.status_code < 500, where
        [policy] = response.headers.getlist("Content-Security-Policy")
        assert policy in {POLICY, RESPONDENT}, where
        assert ["nosniff"] == response.headers.getlist("X-Content-Type-Options"), where
        assert response.headers["Referrer-Policy"] in {"no-referrer", "same-origin"}, where
        assert ["same-origin"] == response.headers.getlist("Cross-Origin-Opener-Policy"), where
        assert 1 == len(response.headers.getlist("Cross-Origin-Resource-Policy")), where
        assert 1 == len(response.headers.getlist("Cache-Control")), where
        assert "Strict-Transport-Security" not in response.headers, where


ODD = (
    {"Range": "bytes=9999999999999999999999-", "If-None-Match": "*"},
    {"Range": "bytes=-5,1-2,-1", "If-Range": "x", "Accept": "text/html;q=1e999"},
    {"Range": "bytes=5-1", "Accept": "*/*;q=nan", "Accept-Language": "zh;q=inf"},
    {"If-Modified-Since": "Thu, 99 Foo 0000 99:99:99 XYZ", "If-None-Match": 'W/"', "Accept": ","},
    {"If-Match": "*", "If-Unmodified-Since": "zzz", "Accept-Encoding": "gzip;q=nan, *;q=-1"},
    {"Cookie": "tossup=\xff; =;;;", "Authorization": "Bearer \xff", "Origin": "null"},
    {"Authorization": "Digest username=x", "Content-Type": "multipart/form-data"},
)


def test_no_header_makes_a_mistake_of_ours(app: Flask) -> None:
    """Whatever else Flask refuses, such as a Range outside a file, is the request's fault."""
    for headers in ODD:
        asset = (
            "/assets/dashboard.css",
            "GET",
            app.test_client().get("/assets/dashboard.css", headers=headers),
        )
        for path, _, answer in (asset, *every_answer(app, ["GET"], headers=headers)):
            assert answer.status_code < 500, (path, headers)
            answer.close()


def test_no_answer_of_the_api_sets_a_cookie(app: Flask) -> None:
    """A device is never given anything to send back, whatever it sends."""
    for path, method, response in every_answer(app, headers={"Cookie": "tossup=planted"}):
        if path.startswith("/v1"):
            assert "Set-Cookie" not in response.headers, f"{method} {path}"


def test_only_devices_routes_are_open_to_pages_elsewhere(app: Flask) -> None:
    """CORS is for reports, withdrawals and manifests, without credentials."""
    shared = set()
    for path, _, response in every_answer(app, headers={"Origin": "https://a.example"}):
        assert "Access-Control-Allow-Credentials" not in response.headers
        if "Access-Control-Allow-Origin" in response.headers:
            assert "*" == response.headers["Access-Control-Allow-Origin"]
            shared.add(path)

    assert shared == {
        "/v1/reports",
        "/v1/withdrawals",
        "/v1/surveys/habits-7",
        f"/v1/manifests/{'0' * 64}",
    }


def test_a_preflight_is_answered_and_kept(client: FlaskClient) -> None:
    """A browser asks once a day whether it may send our media type."""
    response = client.options("/v1/reports", headers={"Origin": "https://a.example"})

    assert 200 == response.status_code
    assert "Content-Type" == response.headers["Access-Control-Allow-Headers"]
    assert "86400" == response.headers["Access-Control-Max-Age"]


def test_errors_of_the_api_are_problem_documents(app: Flask) -> None:
    """404, 405, 401, 411 and the rest have one shape."""
    for path, method, response in every_answer(app):
        if path.startswith("/v1") and response.status_code >= 400 and method != "HEAD":
            document = response.json

            assert PROBLEM_TYPE == response.content_type
            assert {"type", "title", "status", "detail"} == set(document)
            assert document["status"] == response.status_code
            assert document["type"].rpartition(":")[2] in CODES


def test_a_wrong_method_names_the_right_ones(client: FlaskClient) -> None:
    """405 carries Allow, as HTTP asks."""
    response = client.get("/v1/reports")

    assert (405, {"POST", "OPTIONS"}) == (
        response.status_code,
        set(response.headers["Allow"].split(", ")),
    )


@each(
    "host",
    [
        "evil.example",
        "localhost.evil.example",
        "127.0.0.2",
        "",
        "[",
        "evil@localhost",
        "localhost/evil",
        "localhost:x",
    ],
)
def test_other_hosts_are_refused(client: FlaskClient, host: str) -> None:
    """A name that was not configured gets nothing, so no link or cache is built on it."""
    response = client.get("/healthz", headers={"Host": host})

    assert 400 == response.status_code


@each("host", ["localhost", "127.0.0.1:8080", "[::1]:8080"])
def test_the_loopback_is_answered(client: FlaskClient, host: str) -> None:
    """Whatever the port."""
    assert 200 == client.get("/healthz", headers={"Host": host}).status_code


def test_https_is_remembered_and_proxies_are_believed_when_configured(
    config: Config, store: SQLiteStore
) -> None:
    """With an https address HSTS is sent; X-Forwarded-Proto counts behind the declared proxy."""
    behind = Config(data=config.data, public_url="https://survey.example.org", trusted_proxies=1)
    app = create_app(behind, store=store)
    response = app.test_client().get("/healthz", headers={"Host": "survey.example.org"})
    app.extensions["tossup"].close()

    assert "max-age=31536000" == response.headers["Strict-Transport-Security"]


def test_a_mistake_of_ours_is_a_500_without_its_message(
    client: FlaskClient,
    services: Services,
    make_body,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Neither the answer nor the log quotes what went wrong, the log says where."""

    def fail(*_: object) -> None:
        raise KeyError("sentinel-5e1f")

    monkeypatch.setattr(services.writer, "submit", fail)
    response = client.post("/v1/reports", data=make_body(), content_type=REPORTS_TYPE)

    assert (500, PROBLEM_TYPE) == (response.status_code, response.content_type)
    assert "sentinel" not in response.text + caplog.text
    assert "KeyError in" in caplog.text


def test_a_failing_disk_is_a_503_that_says_when_to_come_back(
    client: FlaskClient, services: Services, make_body, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The device keeps its report and sends the same bytes again."""

    def fail(*_: object) -> None:
        raise StorageFailed("no space left on /secret/path")

    monkeypatch.setattr(services.writer, "submit", fail)
    response = client.post("/v1/reports", data=make_body(), content_type=REPORTS_TYPE)

    assert (503, "5") == (response.status_code, response.headers["Retry-After"])
    assert response.json["type"].endswith("storage")
    assert "secret" not in response.text


def test_nothing_of_a_request_is_logged_or_stored(
    client: FlaskClient, config: Config, make_body, caplog: pytest.LogCaptureFixture
) -> None:
    """Address, agent, cookies, query and bodies are found in no file and no log."""
    caplog.set_level(logging.DEBUG)
    headers = {
        "User-Agent": "sentinel-agent",
        "Cookie": "tossup=sentinel-cookie",
        "X-Forwarded-For": "203.0.113.77",
        "Referer": "https://sentinel.example/",
    }
    address = {"REMOTE_ADDR": "203.0.113.77"}
    for data in (make_body(), b"sentinel-body"):
        client.post(
            "/v1/reports?sentinel-query",
            data=data,
            content_type=REPORTS_TYPE,
            headers=headers,
            environ_overrides=address,
        )
    files = b"".join(path.read_bytes() for path in config.data.iterdir())

    assert b"sentinel" not in files + caplog.text.encode()
    assert b"203.0.113.77" not in files + caplog.text.encode()


def test_nothing_finer_than_a_day_is_stored(store: SQLiteStore, config: Config) -> None:
    """The tables of reports have days, and no column for a time."""
    from tossup.server.store.connection import connect

    connection = connect(config.database)
    script = " ".join(
        row[0]
        for row in connection.execute(
            "SELECT sql FROM sqlite_master WHERE name IN ('chunks', 'tallies', 'withdrawals')"
        )
    )
    connection.close()

    assert "day TEXT" in script
    assert "time" not in script.lower()


@each("path", ["/v1//surveys", "/v1/surveys//", "/v1/surveys//habits-7"])
def test_an_address_has_one_form(client, path):
    """Two slashes are not one: 404, as for any other address, and no redirect."""
    answer = client.get(path)

    assert (answer.status_code, answer.headers.get("Location")) == (404, None)
    assert answer.json["type"] == "urn:tossup:error:not-found"
