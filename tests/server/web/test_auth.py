"""Keys, set-up links, sessions, and who may call what."""

import re
from collections.abc import Callable

import pytest
from flask import Flask, Response
from flask.testing import FlaskClient

from tossup.server.store import SQLiteStore
from tossup.server.web.access import check_access, public, require
from tossup.server.web.auth import (
    CSRF_FIELD,
    CSRF_HEADER,
    IDLE_SECONDS,
    LIFE_SECONDS,
    LINK_SECONDS,
    Auth,
)
from tossup.server.web.services import Services

SAME_ORIGIN = {"Sec-Fetch-Site": "same-origin"}


class Clock:
    """Seconds that pass when told to."""

    def __init__(self) -> None:
        self.now = 1_000_000

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def auth(store: SQLiteStore, clock: Clock) -> Auth:
    return Auth(store, secure=False, now=clock)


@pytest.fixture
def guarded(services: Services, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Flask:
    """An application with one page that only signed-in browsers may read and post to."""
    app = Flask(__name__, static_folder=None)
    app.extensions["tossup"] = services
    monkeypatch.setattr(services.auth, "_now", clock)
    from tossup.server.web.middleware import problems

    problems.register(app, services.metrics)

    @app.route("/page", methods=["GET", "POST"])
    @require("viewer")
    def page() -> Response:
        return Response(services.auth.csrf_token())

    return app


@pytest.fixture
def signed_in(guarded: Flask, services: Services) -> FlaskClient:
    """A browser that used a set-up link."""
    browser = guarded.test_client()
    token = services.auth.redeem_link(services.auth.create_link())
    browser.set_cookie(services.auth.cookie, token)
    return browser


def bearer(app: Flask, auth: Auth, value: str) -> bool:
    with app.test_request_context(headers={"Authorization": value}):
        return auth.has_key()


def test_a_key_opens(app: Flask, auth: Auth) -> None:
    """A key works as it was shown."""
    key = auth.create_key("laptop")

    assert key.startswith("tsk_")
    assert bearer(app, auth, f"Bearer {key}")


@pytest.mark.parametrize(
    "change",
    [
        lambda key: f"Bearer {key}x",
        lambda key: f"Bearer {key[:-1]}",
        lambda key: f"Basic {key}",
        lambda key: key,
        lambda key: "Bearer ",
        lambda key: "Bearer",
        lambda key: "",
        lambda key: f"Bearer {key.upper()}",
        lambda key: "Bearer \xff\xfe",
    ],
)
def test_anything_else_does_not(app: Flask, auth: Auth, change: Callable[[str], str]) -> None:
    """A key is compared whole and exactly."""
    assert not bearer(app, auth, change(auth.create_key("laptop")))


def test_a_revoked_key_does_not(app: Flask, auth: Auth, store: SQLiteStore) -> None:
    """Revoking takes effect at once."""
    key = auth.create_key("laptop")
    store.revoke_key(store.keys()[0].number)

    assert not bearer(app, auth, f"Bearer {key}")


@pytest.mark.parametrize("path", ["/v1/surveys", "/v1/surveys/habits-7/results"])
def test_a_wrong_key_is_told_from_none(client: FlaskClient, path: str) -> None:
    """Who sent a key learns that it is unknown or revoked, not to send one."""
    none = client.get(path).json["detail"]
    wrong = client.get(path, headers={"Authorization": "Bearer tsk_x"}).json["detail"]

    assert "unknown or revoked" in wrong
    assert "unknown or revoked" not in none


def test_no_secret_is_at_rest(auth: Auth, store: SQLiteStore, config) -> None:
    """The files hold digests only."""
    link = auth.create_link()
    secrets = [auth.create_key("laptop"), link, auth.redeem_link(auth.create_link())]
    files = b"".join(path.read_bytes() for path in config.data.iterdir())

    assert [False] * 3 == [str(secret).encode() in files for secret in secrets]


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/v1/surveys"),
        ("POST", "/v1/surveys"),
        ("POST", "/v1/surveys/habits-7/close"),
        ("GET", "/v1/surveys/habits-7/results"),
        ("GET", "/v1/surveys/nowhere/results"),
        ("GET", "/v1/surveys/habits-7/results.csv"),
        ("GET", "/v1/surveys/habits-7/reports.csv"),
        ("GET", "/v1/surveys/nowhere/reports.csv"),
    ],
)
def test_researchers_routes_need_a_key(client: FlaskClient, method: str, path: str) -> None:
    """Without a key the answer is 401, whether the survey exists or not."""
    response = client.open(path, method=method)

    assert 401 == response.status_code
    assert response.json["type"].endswith("key-required")
    assert response.headers["WWW-Authenticate"].startswith("Bearer")


def test_a_link_signs_in_once(auth: Auth) -> None:
    """The second use of a link is refused."""
    link = auth.create_link()

    assert auth.redeem_link(link) is not None
    assert auth.redeem_link(link) is None


def test_a_link_ends(auth: Auth, clock: Clock) -> None:
    """An old link is refused."""
    link = auth.create_link()
    clock.now += LINK_SECONDS

    assert auth.redeem_link(link) is None


def test_a_session_opens(signed_in: FlaskClient, guarded: Flask) -> None:
    """A signed-in browser sees the page, another does not."""
    assert 200 == signed_in.get("/page").status_code
    assert 401 == guarded.test_client().get("/page").status_code


def test_an_idle_session_ends(signed_in: FlaskClient, clock: Clock) -> None:
    """Half an hour without a request ends it; a request before that keeps it."""
    clock.now += IDLE_SECONDS - 1
    kept = signed_in.get("/page").status_code
    clock.now += IDLE_SECONDS

    assert (200, 401) == (kept, signed_in.get("/page").status_code)


def test_a_session_ends_after_half_a_day(signed_in: FlaskClient, clock: Clock) -> None:
    """However busy it is."""
    for _ in range(0, LIFE_SECONDS, IDLE_SECONDS // 2):
        signed_in.get("/page")
        clock.now += IDLE_SECONDS // 2

    assert 401 == signed_in.get("/page").status_code


@pytest.mark.parametrize("looks", [True, False])
@pytest.mark.parametrize("seconds", [IDLE_SECONDS, LIFE_SECONDS, 10**6])
def test_a_session_that_expired_stays_so_when_the_clock_is_set_back(
    signed_in: FlaskClient, clock: Clock, services: Services, seconds: int, looks: bool
) -> None:
    """Whether or not that session is what was looked at while the time was later."""
    clock.now += seconds
    if looks:
        signed_in.get("/page")
    else:
        services.auth.create_link()
    clock.now -= seconds

    assert 401 == signed_in.get("/page").status_code


def test_a_session_ends_while_the_clock_stands_in_the_past(
    store: SQLiteStore, clock: Clock, monkeypatch: pytest.MonkeyPatch, app: Flask
) -> None:
    """Half an hour ends it, however far the clock was set back."""
    passed = [0.0]
    monkeypatch.setattr("tossup.server.web.auth.monotonic", lambda: passed[0])
    auth = Auth(store, secure=False, now=clock)
    token = auth.redeem_link(auth.create_link())
    clock.now -= 900_000
    passed[0] += IDLE_SECONDS
    with app.test_request_context(headers={"Cookie": f"{auth.cookie}={token}"}):
        assert not auth.has_session()


@pytest.mark.parametrize("back", [LINK_SECONDS, 10**6])
def test_a_restart_with_the_clock_set_back_ends_sessions_and_revives_no_link(
    store: SQLiteStore, clock: Clock, app: Flask, back: int
) -> None:
    """A machine without a clock of its own starts in the past: nobody can tell how long it was."""
    before = Auth(store, secure=False, now=clock)
    link, token = before.create_link(), before.redeem_link(before.create_link())
    clock.now += LINK_SECONDS
    before.create_link()
    clock.now -= back
    after = Auth(store, secure=False, now=clock)

    assert after.redeem_link(link) is None
    with app.test_request_context(headers={"Cookie": f"{after.cookie}={token}"}):
        assert not after.has_session()


def test_signing_out_ends_the_session_on_the_server(
    signed_in: FlaskClient, guarded: Flask, services: Services
) -> None:
    """A stolen copy of the cookie is worth nothing afterwards."""
    cookie = signed_in.get_cookie(services.auth.cookie).value
    with guarded.test_request_context(headers={"Cookie": f"{services.auth.cookie}={cookie}"}):
        services.auth.sign_out(Response())

    assert 401 == signed_in.get("/page").status_code


def test_a_form_with_its_token_is_taken(signed_in: FlaskClient) -> None:
    """The token may come as a field or as a header."""
    token = signed_in.get("/page").text
    by_field = signed_in.post("/page", data={CSRF_FIELD: token}, headers=SAME_ORIGIN)
    by_header = signed_in.post("/page", headers=SAME_ORIGIN | {CSRF_HEADER: token})

    assert [200, 200] == [by_field.status_code, by_header.status_code]


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "none"},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://["},
        {"Sec-Fetch-Site": "cross-site", "Origin": "http://localhost"},
    ],
)
def test_a_form_of_another_site_is_refused(signed_in: FlaskClient, headers: dict[str, str]) -> None:
    """Even with the token."""
    token = signed_in.get("/page").text
    response = signed_in.post("/page", data={CSRF_FIELD: token}, headers=headers)

    assert 403 == response.status_code


@pytest.mark.parametrize("token", ["", "x", "\u00e9"])
def test_a_form_without_its_token_is_refused(signed_in: FlaskClient, token: str) -> None:
    """Even from the same origin."""
    response = signed_in.post("/page", data={CSRF_FIELD: token}, headers=SAME_ORIGIN)

    assert 403 == response.status_code


@pytest.mark.parametrize(
    ("secure", "expected"),
    [
        (False, "tossup=t; HttpOnly; Path=/; SameSite=Strict"),
        (True, "__Host-tossup=t; Secure; HttpOnly; Path=/; SameSite=Strict"),
    ],
)
def test_the_cookie_is_bound_to_host_and_site(
    store: SQLiteStore, secure: bool, expected: str
) -> None:
    """No script reads it, no other site sends it; over https no other host sets it."""
    response = Response()
    Auth(store, secure=secure).set_cookie(response, "t")

    assert expected == response.headers["Set-Cookie"]


def test_every_view_says_who_may_call_it(app: Flask) -> None:
    """No view of the application is without a guard."""
    access = {view.access.by for name, view in app.view_functions.items() if "static" not in name}

    assert access == {"public", "api-key", "session", "published"}


def test_a_view_that_does_not_say_so_stops_the_application() -> None:
    """Forgetting the guard is found at the start, not by a visitor."""
    app = Flask(__name__, static_folder=None)
    app.get("/said")(public(lambda: ""))
    check_access(app)
    app.add_url_rule("/forgotten", "forgotten", lambda: "")
    with pytest.raises(RuntimeError, match="/forgotten"):
        check_access(app)


def test_every_unsafe_route_refuses_a_stranger(app: Flask) -> None:
    """Routes that change something and are not for devices answer 401 or 403 to a stranger."""
    for rule in app.url_map.iter_rules():
        if "POST" not in rule.methods or rule.rule.endswith(("/v1/reports", "/v1/withdrawals")):
            continue
        path = rule.rule.replace("<survey_id>", "habits-7").replace("<token>", "x")
        path = re.sub(r"<any\((\w+).*?>", r"\1", re.sub(r"<int:\w+>", "1", path))
        response = app.test_client().post(path, headers={"Sec-Fetch-Site": "cross-site"})

        assert response.status_code in {401, 403}, path
