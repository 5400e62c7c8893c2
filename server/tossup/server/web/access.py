"""The guard of every route: which role may call it, and what it writes into the record.

Stage: HTTP. A request acts in a role: that of its API key, or of its session. Every view carries
exactly one of `public`, `require` and `published_or_signed_in`; `check_access` refuses an
application with a view that carries none. What a role may do is read off the views themselves by
`actions`, for the reference and for tests.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, Final, Literal, Protocol, TypeVar, cast

from flask import Flask, Response, g, make_response, request

from tossup.server.refusals import Refused
from tossup.server.store.base import Store
from tossup.server.store.members import ROLES, Role
from tossup.server.store.records import SurveyRecord, SurveyUnknown
from tossup.server.web.auth import Caller
from tossup.server.web.middleware.shown import admit_reader
from tossup.server.web.services import services

View = TypeVar("View", bound=Callable[..., Any])


class Guard(Protocol):
    """What `require` returns: it keeps the type of the view."""

    def __call__(self, view: View, /) -> View: ...  # noqa: D102


_SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})


@dataclass(frozen=True, slots=True)
class Access:
    """Who may call a view: the least role, and how the caller shows it.

    ``by`` is ``"public"``, ``"api-key"``, ``"session"`` or ``"published"`` (a key or a session,
    unless the survey publishes its results). ``role`` is None where it is public.
    """

    by: str
    role: Role | None = None


class SignInRequired(Refused):
    """The page is for signed-in researchers; a dashboard turns this into its sign-in page."""

    def __init__(self) -> None:
        super().__init__(
            "open the link that `tossup serve` prints, or send an API key", "sign-in-required"
        )


def public(view: View) -> View:
    """Let anyone call a view."""
    return _mark(view, Access("public"))


def require(role: Role, *, by: Literal["session", "api-key"] = "session") -> Guard:
    """Let only callers in a role, or a higher one, call a view.

    By a signed-in browser, whose unsafe requests need the CSRF token as well, or by an API key.
    What an unsafe request did is added to the record: the first line of the view's docstring.
    """

    def guard(view: View) -> View:
        @wraps(view)
        def guarded(*args: Any, **kwargs: Any) -> Any:
            caller = _by_session() if by == "session" else _by_key()
            return _called(caller, role, view, *args, **kwargs)

        return _mark(cast("View", guarded), Access(by, role))

    return guard


def published_or_signed_in(view: View) -> View:
    """Let anyone see a survey that publishes its results; others need a key or a session.

    The view's first argument is ``survey_id``, and it only reads: every role may.
    """

    @wraps(view)
    def guarded(survey_id: str, **kwargs: Any) -> Any:
        auth, store = services().auth, services().store
        record = _published(store, survey_id)
        # Asked first, so that without a key no answer tells which surveys exist.
        if record is not None and record.survey.shown == "live":
            return view(survey_id, **kwargs)
        if not (auth.has_key() or auth.has_session()):
            if record is None:
                raise _key_required("these results are not published; send an API key")
            admit_reader(record, store.today())
        return view(survey_id, **kwargs)

    return _mark(cast("View", guarded), Access("published", "viewer"))


def check_access(app: Flask) -> None:
    """Refuse an application with a view that does not say who may call it.

    Raises
    ------
    RuntimeError
        If there is one. Static files are public by nature.
    """
    for rule in app.url_map.iter_rules():
        view = app.view_functions[rule.endpoint]
        said = getattr(view, "access", None)
        if not isinstance(said, Access) and not rule.endpoint.endswith("static"):
            raise RuntimeError(f"route {rule.rule} does not declare who may call it; see access.py")


def may(caller: Caller | None, role: Role) -> bool:
    """Return whether a caller has a role, or a higher one."""
    return caller is not None and ROLES.index(caller.role) >= ROLES.index(role)


def actions(app: Flask) -> list[tuple[str, str, Access, str]]:
    """Return method and address of every route, who may call it and what it does; sorted."""
    found: set[tuple[str, str, Access, str]] = set()
    for rule in app.url_map.iter_rules():
        view = app.view_functions[rule.endpoint]
        if rule.endpoint.endswith("static"):
            continue
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}:
            found.add((method, rule.rule, vars(view)["access"], does(view)))
    return sorted(found, key=lambda action: (action[1], action[0]))


def changes(app: Flask) -> tuple[str, ...]:
    """Return what the record says of routes that change something, sorted."""
    said = ((method, access.role, what) for method, _, access, what in actions(app))
    return tuple(
        sorted({what for method, role, what in said if role and method not in _SAFE_METHODS})
    )


def subject(text: str) -> None:
    """Say what this request changes, for the record; else it is what the address names."""
    g.subject = text


def once_kept(act: Callable[[], None]) -> None:
    """Do something when what this request changes is on the disk; never if it is not kept."""
    g.once_kept = act


def _called(caller: Caller, role: Role, view: View, *args: Any, **kwargs: Any) -> Response:
    """Call a view for a caller, and record what was changed: both are kept, or neither is."""
    if not may(caller, role):
        raise Refused(
            f"this is for the role {role}, and yours is {caller.role}; ask an owner of this server",
            "role-required",
        )
    g.caller = caller
    if request.method in _SAFE_METHODS:
        return make_response(view(*args, **kwargs))
    store, now = services().store, services().auth.time()
    with store.together() as change:
        response = make_response(view(*args, **kwargs))
        if response.status_code < 400:
            named = " ".join(str(value) for value in (request.view_args or {}).values())
            store.note(now, caller.name, does(view), g.get("subject", named))
        else:
            change.undo()
    if response.status_code < 400 and "once_kept" in g:
        g.once_kept()
    return response


def does(view: Callable[..., Any]) -> str:
    """Return what a view does, in the first line of its own words."""
    return (view.__doc__ or view.__name__).partition("\n")[0].rstrip(".")


def _by_session() -> Caller:
    auth = services().auth
    caller = auth.session_caller()
    if caller is None:
        raise SignInRequired
    if request.method not in _SAFE_METHODS:
        auth.check_csrf()
    return caller


def _by_key() -> Caller:
    caller = services().auth.key_caller()
    if caller is None:
        raise _key_required("send `Authorization: Bearer tsk_...`")
    return caller


def _key_required(without: str) -> Refused:
    """Return the refusal of a request with no API key, or with an invalid one."""
    if "Authorization" in request.headers:
        return Refused(
            "the API key is unknown or revoked; `tossup key list` on the server shows which there"
            " are, `tossup key create` makes one",
            "key-required",
        )
    return Refused(without, "key-required")


def _published(store: Store, survey_id: str) -> SurveyRecord | None:
    """Return a survey whose results are public; None if they are not, or there is none."""
    try:
        record = store.survey(survey_id)
    except SurveyUnknown:
        return None
    return record if record.survey.results == "public" else None


def _mark(view: View, access: Access) -> View:
    view.access = access  # type: ignore[attr-defined]
    return view
