"""Every route by every role, and the record of what was changed."""

import re
import runpy
from dataclasses import dataclass
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tossup.server.store.members import ROLES, Role
from tossup.server.web.access import actions
from tossup.server.web.auth import CSRF_HEADER
from tossup.server.web.services import Services

SAME_ORIGIN = {"Sec-Fetch-Site": "same-origin"}
#: Least role, by method and address; None is anyone. A new route is added here by hand.
TABLE: dict[tuple[str, str], tuple[str, Role | None]] = {
    ("GET", "/"): ("session", "viewer"),
    ("GET", "/drafts/<int:number>"): ("session", "owner"),
    ("POST", "/drafts/<int:number>"): ("session", "owner"),
    ("GET", "/drafts/<int:number>/<any(questions, groups):name>/<int:place>"): ("session", "owner"),
    ("POST", "/drafts/<int:number>/<any(questions, groups):name>/<int:place>"): (
        "session",
        "owner",
    ),
    ("GET", "/drafts/<int:number>/delete"): ("session", "owner"),
    ("POST", "/drafts/<int:number>/delete"): ("session", "owner"),
    ("GET", "/drafts/<int:number>/payload"): ("session", "owner"),
    ("GET", "/drafts/<int:number>/publish"): ("session", "owner"),
    ("POST", "/drafts/<int:number>/publish"): ("session", "owner"),
    ("GET", "/drafts/<int:number>/read"): ("session", "analyst"),
    ("GET", "/drafts/<int:number>/survey.toml"): ("session", "analyst"),
    ("GET", "/drafts/import"): ("session", "owner"),
    ("POST", "/drafts/import"): ("session", "owner"),
    ("GET", "/drafts/new"): ("session", "owner"),
    ("POST", "/drafts/new"): ("session", "owner"),
    ("GET", "/healthz"): ("public", None),
    ("GET", "/keys"): ("session", "owner"),
    ("POST", "/keys"): ("session", "owner"),
    ("GET", "/keys/<int:number>/revoke"): ("session", "owner"),
    ("POST", "/keys/<int:number>/revoke"): ("session", "owner"),
    ("GET", "/members"): ("session", "owner"),
    ("POST", "/members"): ("session", "owner"),
    ("POST", "/members/<int:number>/link"): ("session", "owner"),
    ("GET", "/members/<int:number>/remove"): ("session", "owner"),
    ("POST", "/members/<int:number>/remove"): ("session", "owner"),
    ("POST", "/members/<int:number>/role"): ("session", "owner"),
    ("GET", "/metrics"): ("public", None),
    ("GET", "/plan"): ("session", "viewer"),
    ("GET", "/readyz"): ("public", None),
    ("GET", "/record"): ("session", "owner"),
    ("GET", "/sessions"): ("session", "viewer"),
    ("POST", "/sessions/end"): ("session", "viewer"),
    ("GET", "/sign-in"): ("public", None),
    ("POST", "/sign-in"): ("public", None),
    ("GET", "/sign-in/<token>"): ("public", None),
    ("POST", "/sign-in/<token>"): ("public", None),
    ("POST", "/sign-out"): ("session", "viewer"),
    ("GET", "/surveys/<survey_id>"): ("published", "viewer"),
    ("GET", "/surveys/<survey_id>/close"): ("session", "owner"),
    ("POST", "/surveys/<survey_id>/close"): ("session", "owner"),
    ("POST", "/surveys/<survey_id>/reopen"): ("session", "owner"),
    ("GET", "/surveys/<survey_id>/delete"): ("session", "owner"),
    ("POST", "/surveys/<survey_id>/delete"): ("session", "owner"),
    ("GET", "/surveys/<survey_id>/figures/<question_id>.<int:version>.<part>.svg"): (
        "published",
        "viewer",
    ),
    ("GET", "/surveys/<survey_id>/joint"): ("published", "viewer"),
    ("GET", "/surveys/<survey_id>/joint.svg"): ("published", "viewer"),
    ("GET", "/surveys/<survey_id>/live"): ("published", "viewer"),
    ("GET", "/surveys/<survey_id>/methods"): ("published", "viewer"),
    ("GET", "/surveys/<survey_id>/next"): ("session", "owner"),
    ("POST", "/surveys/<survey_id>/next"): ("session", "owner"),
    ("GET", "/surveys/<survey_id>/results.csv"): ("published", "viewer"),
    ("GET", "/surveys/<survey_id>/results.json"): ("published", "viewer"),
    ("GET", "/surveys/<survey_id>/share"): ("session", "owner"),
    ("GET", "/try/<secret>"): ("public", None),
    ("POST", "/try/<secret>/v1/reports"): ("public", None),
    ("GET", "/try/<secret>/v1/surveys/<survey_id>"): ("public", None),
    ("POST", "/try/<secret>/v1/withdrawals"): ("public", None),
    ("GET", "/v1/manifests/<digest>"): ("public", None),
    ("GET", "/v1/openapi.json"): ("public", None),
    ("POST", "/v1/reports"): ("public", None),
    ("GET", "/v1/surveys"): ("api-key", "viewer"),
    ("POST", "/v1/surveys"): ("api-key", "owner"),
    ("DELETE", "/v1/surveys/<survey_id>"): ("api-key", "owner"),
    ("GET", "/v1/surveys/<survey_id>"): ("public", None),
    ("POST", "/v1/surveys/<survey_id>/close"): ("api-key", "owner"),
    ("POST", "/v1/surveys/<survey_id>/reopen"): ("api-key", "owner"),
    ("GET", "/v1/surveys/<survey_id>/code.svg"): ("public", None),
    ("GET", "/v1/surveys/<survey_id>/joint"): ("published", "viewer"),
    ("GET", "/v1/surveys/<survey_id>/poster"): ("public", None),
    ("GET", "/v1/surveys/<survey_id>/privacy"): ("public", None),
    ("GET", "/v1/surveys/<survey_id>/reports.csv"): ("api-key", "analyst"),
    ("GET", "/v1/surveys/<survey_id>/results"): ("published", "viewer"),
    ("GET", "/v1/surveys/<survey_id>/results.csv"): ("published", "viewer"),
    ("POST", "/v1/withdrawals"): ("public", None),
}


@dataclass
class Visitor:
    """A browser or program of somebody, and the headers that it sends."""

    browser: FlaskClient
    headers: dict[str, str]

    def get(self, rule: str) -> TestResponse:
        return self.browser.get(_address(rule), headers=self.headers)

    def status(self, method: str, rule: str) -> int:
        address = _address(rule)
        return self.browser.open(address, method=method, headers=self.headers).status_code


def _address(rule: str) -> str:
    """Return an address of a route, of a survey that there is and a row that there is not."""
    path = re.sub(r"<[^>]*(survey_id)>", "habits-7", rule)
    path = re.sub(r"<int:[^>]*>", "999", path)
    path = re.sub(r"<any\((\w+)[^>]*>", r"\1", path)
    return re.sub(r"<[^>]*>", "x", path)


def by_session(app: Flask, services: Services, role: Role) -> Visitor:
    """Return the browser of a member who has a role and chose a password."""
    member = services.store.add_member(f"a {role} {len(services.store.members())}", role)
    token = services.auth.begin_session(member.number)
    browser = app.test_client()
    browser.set_cookie(services.auth.cookie, token)
    with app.test_request_context(headers={"Cookie": f"{services.auth.cookie}={token}"}):
        csrf = services.auth.csrf_token()
    return Visitor(browser, SAME_ORIGIN | {CSRF_HEADER: csrf})


def by_key(app: Flask, services: Services, role: Role) -> Visitor:
    """Return a program with an API key of a role."""
    key = services.auth.create_key(f"a {role}", role)
    return Visitor(app.test_client(), {"Authorization": f"Bearer {key}"})


def test_the_table_is_the_one_that_the_code_uses(app: Flask) -> None:
    """A route that is added, or whose role changes, fails here until the table says so too."""
    used = {(method, rule): (access.by, access.role) for method, rule, access, _ in actions(app)}

    assert used == TABLE


def test_a_lower_role_is_refused_and_a_sufficient_one_is_not(
    app: Flask, services: Services
) -> None:
    """Every route, by session and by key of every role, and by a stranger."""
    stranger = Visitor(app.test_client(), SAME_ORIGIN)
    wrong = []
    for (method, rule), (by, least) in TABLE.items():
        if by == "public":
            continue
        if (status := stranger.status(method, rule)) != 401:
            wrong.append(f"{method} {rule}: a stranger gets {status}")
        for role in ROLES:
            # Anew for each: some routes end the session.
            session = by_session(app, services, role).status(method, rule)
            key = by_key(app, services, role).status(method, rule)
            enough = ROLES.index(role) >= ROLES.index(least or "viewer")
            if not _fits(session, by in {"session", "published"}, enough):
                wrong.append(f"{method} {rule}: the session of a {role} gets {session}")
            if not _fits(key, by in {"api-key", "published"}, enough):
                wrong.append(f"{method} {rule}: the key of a {role} gets {key}")

    assert wrong == []


def _fits(status: int, shown_rightly: bool, enough: bool) -> bool:
    if not shown_rightly:
        return status == 401
    return status not in {401, 403} if enough else status == 403


def test_every_form_of_a_session_needs_its_token_and_its_site(
    app: Flask, services: Services
) -> None:
    """An owner's browser that another site makes post changes nothing."""
    owner = by_session(app, services, "owner")
    csrf = owner.headers[CSRF_HEADER]
    wrong = []
    for (method, rule), (by, _) in TABLE.items():
        if method != "GET" and (by == "session" or rule.startswith("/sign-in")):
            forged = [Visitor(owner.browser, {"Sec-Fetch-Site": "cross-site", CSRF_HEADER: csrf})]
            forged += [Visitor(owner.browser, SAME_ORIGIN)] if by == "session" else []
            wrong += [rule for other in forged if other.status(method, rule) != 403]

    assert wrong == []


def test_private_pages_are_kept_nowhere(app: Flask, services: Services) -> None:
    """No cache keeps a page of an owner, and no other site learns its address."""
    owner = by_session(app, services, "owner")
    for (method, rule), (by, _) in TABLE.items():
        if (method == "GET" and by == "session") or rule.startswith("/sign-in"):
            answer = owner.get(rule)

            assert "no-store" == answer.headers["Cache-Control"], rule
            assert "same-origin" == answer.headers["Referrer-Policy"], rule


def test_what_was_changed_is_recorded_with_who(app: Flask, services: Services) -> None:
    """Once, by page and by key alike; what was refused or only read is not."""
    owner, reader = by_session(app, services, "owner"), by_session(app, services, "viewer")
    owner.browser.get("/members")
    owner.browser.post("/members", data={"name": "Ada ", "role": "analyst"}, headers=owner.headers)
    reader.browser.post("/members", data={"name": "b", "role": "owner"}, headers=reader.headers)
    by_key(app, services, "owner").status("POST", "/v1/surveys/<survey_id>/close")
    lines = [(line.who, line.what, line.subject) for line in services.store.record()]

    assert lines == [
        ("key 1 (a owner)", "Close a survey", "habits-7"),
        ("a owner 0", "Add a member", "Ada, analyst"),
    ]


def test_no_line_of_the_record_can_be_changed(services: Services) -> None:
    """The database refuses it, and the chain of digests shows what was changed past it."""
    for n in range(3):
        services.store.note(n, "ada", "Close a survey", f"s-{n}")
    lines = services.store.record()[::-1]
    for sql in ("DELETE FROM record", "UPDATE record SET who = 'bob'"):
        with pytest.raises(Exception, match="append-only"):
            services.store._rows(sql)

    assert lines[1].continues(lines[0].digest)
    assert not lines[2].continues(lines[0].digest)


def test_the_reference_of_roles_is_made_from_the_guards() -> None:
    """``make fix`` renews it."""
    page = Path(__file__).parents[3] / "docs/reference/roles.md"
    script = runpy.run_path(str(page.with_name("make_roles.py")))

    assert script["reference"]() == page.read_text(encoding="utf-8")
