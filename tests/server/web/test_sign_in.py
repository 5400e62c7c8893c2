"""Signing in by a password, by a link of one's own, and what a guesser meets."""

import re
from contextlib import ExitStack
from html import unescape

import pytest
from flask.testing import FlaskClient

from tossup.server.refusals import Busy, Refused
from tossup.server.store.members import Member, NameTaken
from tossup.server.web.people import passwords
from tossup.server.web.people.sign_in import BY_ADDRESS, BY_NAME, WINDOW_SECONDS, SignIn, add
from tossup.server.web.services import Services

SAME_ORIGIN = {"Sec-Fetch-Site": "same-origin"}
#: Addresses of one network each, and of many.
ADDRESSES = ("2001:db8::{}", "2001:db8:0:7:{}::1", "2001:db8:9:{}::1", "::ffff:192.0.2.{}")
PORTS = ("192.0.2.7:{}", "[2001:db8::1]:{}", "[::ffff:192.0.2.8]:{}", "2001:db8:1:{}::1:443")
BARE = ("192.0.2.7", "2001:db8::2", "192.0.2.8", "[2001:db8:2::1]")
PASSWORD = "four coins on a table"


@pytest.fixture(scope="module")
def kept() -> str:
    """What is kept of the password: scrypt takes its tenths of a second once."""
    return passwords.hashed(PASSWORD)


@pytest.fixture
def ada(services: Services, kept: str) -> Member:
    """A viewer who chose a password."""
    member = services.store.add_member("ada", "viewer")
    services.store.set_password(member.number, kept)
    return member


@pytest.fixture
def cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    """Passwords that are compared without scrypt, for tests of many attempts."""
    monkeypatch.setattr(passwords, "fits", lambda password, kept: kept and password == PASSWORD)


def post(client: FlaskClient, name: str, password: str, **headers: str) -> tuple[int, str]:
    form = {"name": name, "password": password}
    response = client.post("/sign-in", data=form, headers=SAME_ORIGIN | headers)
    return response.status_code, response.text.replace(name, "NAME")


def test_a_member_signs_in_by_any_spelling_of_the_name(client: FlaskClient, ada: Member) -> None:
    """And reads what a viewer may."""
    status, _ = post(client, " ADA ", PASSWORD)

    assert (303, 200) == (status, client.get("/sessions").status_code)


def test_nothing_tells_an_unknown_name_from_a_wrong_password(
    client: FlaskClient, services: Services, kept: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Status, page, and scrypt are the same: of a member, of one without a password, of nobody."""
    member = services.store.add_member("qqada", "viewer")
    services.store.set_password(member.number, kept)
    services.store.add_member("qqbob", "owner")
    worked: list[str | None] = []
    fits = passwords.fits

    def counted(password: str, kept: str | None) -> bool:
        worked.append(kept)
        return fits(password, kept)

    monkeypatch.setattr(passwords, "fits", counted)
    answers = {post(client, name, "a wrong password it is") for name in ("qqada", "qqbob", "qqeve")}

    assert (1, 3) == (len(answers), len(worked))
    assert 403 == next(iter(answers))[0]


@pytest.mark.usefixtures("cheap")
def test_guessing_stops_for_every_name_alike_and_after_a_restart(
    client: FlaskClient, services: Services, ada: Member, app
) -> None:
    """Even the right password is refused then; the count outlives the process."""
    seen = {name: [post(client, name, "x" * 20)[0] for _ in range(BY_NAME + 1)]
            for name in ("ada", "qqeve")}  # fmt: skip
    again = SignIn(services.store, services.auth, trusted_proxies=0)
    with (
        app.test_request_context(environ_base={"REMOTE_ADDR": "192.0.2.9"}),
        pytest.raises(Exception, match="too many attempts"),
    ):
        again.member("ada", PASSWORD)

    assert seen["ada"] == seen["qqeve"] == [403] * BY_NAME + [429]


@pytest.mark.usefixtures("cheap")
def test_one_address_may_not_try_many_names(client: FlaskClient, ada: Member) -> None:
    """Whatever an untrusted client says of its address."""
    for n in range(BY_ADDRESS):
        post(client, f"name {n}", "x" * 20, **{"X-Forwarded-For": f"192.0.2.{n}"})

    assert 429 == post(client, "ada", PASSWORD)[0]


def test_of_ipv6_a_network_is_one_address(app, services: Services) -> None:
    """One client has 2^64 of them; IPv4 in the form of IPv6 is one each, as on a port for both."""
    sign_in = SignIn(services.store, services.auth, trusted_proxies=0)

    def refused(address: str) -> bool:
        with app.test_request_context(environ_base={"REMOTE_ADDR": address}):
            try:
                sign_in._count_address(0)
            except Refused:
                return True
            return False

    counted = [[refused(each.format(n)) for n in range(BY_ADDRESS + 1)] for each in ADDRESSES]

    assert [[False] * BY_ADDRESS + [many] for many in (True, True, False, False)] == counted


def test_the_port_is_no_part_of_who_asks(app, services: Services) -> None:
    """A proxy that writes it writes another one for each connection; what is no address stays."""
    sign_in = SignIn(services.store, services.auth, trusted_proxies=1)

    def refused(address: str) -> bool:
        with app.test_request_context(headers={"X-Forwarded-For": f"evil, {address}"}):
            try:
                sign_in._count_address(0)
            except Refused:
                return True
            return False

    ports = [[each.format(49152 + n) for n in range(BY_ADDRESS)] for each in PORTS]
    counted = [
        [refused(one) for one in (*many, bare)] for many, bare in zip(ports, BARE, strict=True)
    ]

    assert [[False] * BY_ADDRESS + [True]] * 3 + [[False] * (BY_ADDRESS + 1)] == counted


@pytest.mark.usefixtures("cheap")
def test_attempts_are_forgotten_by_time_and_not_by_a_clock_that_is_set_back(
    client: FlaskClient, services: Services, ada: Member, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A quarter of an hour later a member signs in; an hour earlier by the clock, no one does."""
    now = [services.auth.time()]
    monkeypatch.setattr(services.auth, "_now", lambda: now[0])
    for _ in range(BY_NAME):
        post(client, "ada", "x" * 20)
    now[0] -= 3600
    back = post(client, "ada", PASSWORD)[0]
    now[0] += 3600 + WINDOW_SECONDS + 1

    assert (429, 303) == (back, post(client, "ada", PASSWORD)[0])


def test_memory_of_addresses_is_bounded(app, services: Services) -> None:
    """However many addresses there are."""
    sign_in = SignIn(services.store, services.auth, trusted_proxies=1)
    for n in range(5000):
        with app.test_request_context(headers={"X-Forwarded-For": f"evil, 2001:db8:{n:x}::1"}):
            sign_in._count_address(0)

    assert 4096 == len(sign_in._addresses)


def test_a_link_asks_for_a_password_once(client: FlaskClient, services: Services) -> None:
    """A short one is refused and the link still works; then it is used up, and the rest ends."""
    bob = services.store.add_member("bob", "viewer")
    old = services.auth._store
    old.add_session(b"old", services.auth.time(), bob.number)
    address = "/sign-in/" + services.auth.create_link(member=bob.number)
    form = {"password": PASSWORD}
    shown = client.get(address)
    short = client.post(address, data={"password": "short"}, headers=SAME_ORIGIN).status_code
    chosen = client.post(address, data=form, headers=SAME_ORIGIN).status_code

    assert "bob" in shown.text
    assert (422, 303, 403) == (
        short, chosen, client.post(address, data=form, headers=SAME_ORIGIN).status_code
    )  # fmt: skip
    assert old.session(b"old") is None


def test_signing_in_takes_no_token_that_the_browser_brings(
    client: FlaskClient, services: Services, ada: Member
) -> None:
    """A cookie that another planted never becomes a session (no fixation)."""
    client.set_cookie(services.auth.cookie, "planted")
    post(client, "ada", PASSWORD)

    assert "planted" != client.get_cookie(services.auth.cookie).value


def test_a_role_and_a_removal_hold_at_the_next_request(
    client: FlaskClient, services: Services, ada: Member
) -> None:
    """An open session has no role of its own."""
    post(client, "ada", PASSWORD)
    as_viewer = client.get("/members").status_code
    services.store.set_role(ada.number, "owner")
    as_owner = client.get("/members").status_code
    services.store.remove_member(ada.number)

    assert (403, 200, 401) == (as_viewer, as_owner, client.get("/members").status_code)


def test_no_password_and_no_address_is_at_rest(
    client: FlaskClient, services: Services, ada: Member, config
) -> None:
    """The files hold scrypt's output, and nothing of where somebody signed in from."""
    post(client, "ada", PASSWORD)
    files = b"".join(path.read_bytes() for path in config.data.iterdir())

    assert PASSWORD.encode() not in files
    assert b"127.0.0.1" not in files


def test_a_long_line_of_passwords_holds_no_further_thread() -> None:
    """Who comes when eight are worked out or wait is refused at once; then there is room again."""
    with ExitStack() as line:
        for _ in range(8):
            assert passwords._IN_LINE.acquire(blocking=False)
            line.callback(passwords._IN_LINE.release)
        with pytest.raises(Busy):
            passwords.hashed(PASSWORD)

    assert passwords.hashed(PASSWORD).startswith("scrypt$")


@pytest.mark.usefixtures("cheap")
def test_what_was_typed_outlives_the_session(client: FlaskClient, ada: Member, app) -> None:
    """It comes back with the refusal; one press keeps it once its writer is signed in anew.

    A form that was on the screen all the while is asked about first: it may be another's.
    """
    services: Services = app.extensions["tossup"]
    services.store.set_role(ada.number, "owner")
    post(client, "ada", PASSWORD)
    token = hidden(client.get("/drafts/new").text)["csrf_token"]
    typed = {"title": 'Nights "out" & in', "purpose": "To learn\r\nhow many.", "languages": "en"}
    typed |= {"publisher.name": "Example University", "publisher.contact": "irb@example.org"}
    services.store.end_sessions(began=services.auth.time() + 1)
    form = typed | {"csrf_token": token}
    ended = client.post("/drafts/new", data=form, headers=SAME_ORIGIN)
    foreign = client.post("/drafts/new", data=form, headers={"Sec-Fetch-Site": "cross-site"})
    early = client.post("/drafts/new", data=hidden(ended.text), headers=SAME_ORIGIN)
    post(client, "ada", PASSWORD)
    kept = client.post("/drafts/new", data=hidden(ended.text), headers=SAME_ORIGIN)
    old = client.post("/drafts/new", data=form, headers=SAME_ORIGIN)
    anew = client.post("/drafts/new", data=hidden(old.text), headers=SAME_ORIGIN)

    answers = (ended, early, kept, old, anew)
    assert [answer.status_code for answer in answers] == [401, 401, 303, 403, 303]
    assert hidden(ended.text) == hidden(early.text)
    assert hidden(ended.text).items() > typed.items()
    assert "You are signed in as ada." in old.text
    assert hidden(foreign.text) == {}
    assert "Set-Cookie" not in foreign.headers
    drafts = services.store.drafts()
    assert ['title = "Nights \\"out\\" & in"' in draft.text for draft in drafts] == [True, True]


@pytest.mark.usefixtures("cheap")
def test_only_the_browser_that_typed_sends_it_again(client, ada, app, services) -> None:
    """The token of its form opens nothing in another browser, without its cookie, or signed out."""
    services.store.set_role(ada.number, "owner")
    typed = {"title": "Nights", "languages": "en"}
    ended = client.post("/drafts/new", data=typed, headers=SAME_ORIGIN)
    form, cookie = hidden(ended.text), client.get_cookie("tossup-form")
    other = app.test_client()
    post(other, "ada", PASSWORD)
    elsewhere = other.post("/drafts/new", data=form, headers=SAME_ORIGIN)
    other.set_cookie("tossup-form", "another secret")
    foreign = other.post("/drafts/new", data=form, headers=SAME_ORIGIN)
    post(client, "ada", PASSWORD)
    crossed = client.post("/drafts/new", data=form, headers={"Sec-Fetch-Site": "cross-site"})
    client.post("/sign-out", data=hidden(client.get("/sessions").text), headers=SAME_ORIGIN)

    assert [401, 403, 403, 403] == [
        answer.status_code for answer in (ended, elsewhere, foreign, crossed)
    ]
    assert (cookie.http_only, cookie.same_site, cookie.path) == (True, "Strict", "/")
    assert client.get_cookie("tossup-form") is None
    assert services.store.drafts() == []


def hidden(page: str) -> dict[str, str]:
    """Return what a page's last form sends along."""
    fields = r'<input type="hidden" name="([^"]+)" value="([^"]*)">'
    form = page.rpartition("<form")[2].partition("</form>")[0]
    return {name: unescape(value) for name, value in re.findall(fields, form)}


@pytest.mark.usefixtures("cheap")
def test_who_ends_the_session_in_use_is_told_so(client: FlaskClient, ada: Member) -> None:
    """And is not asked to sign in as if by mistake; the cookie goes, too."""
    post(client, "ada", PASSWORD)
    shown = client.get("/sessions")
    ended = client.post("/sessions/end", data=hidden(shown.text), headers=SAME_ORIGIN)

    assert "You are signed in as ada." in shown.text
    assert ended.status_code == 200
    assert "You are signed out" in ended.text
    assert client.get_cookie("tossup") is None
    assert client.get("/sessions").status_code == 401


def test_a_second_tab_is_told_what_is_gone(app, services: Services) -> None:
    """Of a member who was removed and a key that was revoked meanwhile; the record has it once."""
    owner = app.test_client()
    owner.set_cookie(services.auth.cookie, services.auth.begin_session(None))
    bob = services.store.add_member("bob", "viewer")
    services.auth.create_key("nightly", "viewer")
    token = hidden(owner.get("/members/1/remove").text)["csrf_token"]
    paths = [f"/members/{bob.number}/remove", f"/members/{bob.number}/link", "/keys/1/revoke"]
    paths += paths[2:]
    answers = [owner.post(path, data={"csrf_token": token}, headers=SAME_ORIGIN) for path in paths]

    assert [answer.status_code for answer in answers] == [303, 404, 303, 404]
    for answer, listed in ((answers[1], "/members"), (answers[3], "/keys")):
        assert "It was removed meanwhile" in answer.text
        assert f'<a href="{listed}">' in answer.text
    assert [line.subject for line in services.store.record()] == ["key 1 (nightly)", "bob"]


def test_a_name_is_shown_as_it_was_typed_and_taken_in_every_spelling(services: Services) -> None:
    with services.store.together():
        ada = add(services.store, " Ada  Lovelace", "viewer")
    with pytest.raises(NameTaken), services.store.together():
        add(services.store, "ADA LOVELACE", "owner")

    assert services.store.members() == [ada]
    assert ada.name == "Ada Lovelace"
