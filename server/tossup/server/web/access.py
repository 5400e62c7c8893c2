"""The guard of every route: who may call it.

Stage: HTTP. Every view carries exactly one of `public`, `api_key_required`, `session_required`
and `published_or_signed_in`; `check_access` refuses an application with a view that carries none.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, Final, TypeVar, cast

from flask import Flask, request

from tossup.server.refusals import Refused
from tossup.server.store.base import Store, SurveyUnknown
from tossup.server.web.services import services

View = TypeVar("View", bound=Callable[..., Any])

_SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})


class SignInRequired(Refused):
    """The page is for signed-in researchers; a dashboard turns this into its sign-in page."""

    def __init__(self) -> None:
        super().__init__(
            "open the link that `tossup serve` prints, or send an API key", "sign-in-required"
        )


def public(view: View) -> View:
    """Let anyone call a view."""
    return _mark(view, "public")


def api_key_required(view: View) -> View:
    """Let only holders of an API key call a view."""

    @wraps(view)
    def guarded(*args: Any, **kwargs: Any) -> Any:
        if not services().auth.has_key():
            raise _key_required("send `Authorization: Bearer tsk_...`")
        return view(*args, **kwargs)

    return _mark(cast("View", guarded), "api-key")


def session_required(view: View) -> View:
    """Let only signed-in browsers call a view; unsafe methods need the CSRF token as well."""

    @wraps(view)
    def guarded(*args: Any, **kwargs: Any) -> Any:
        auth = services().auth
        if not auth.has_session():
            raise SignInRequired
        if request.method not in _SAFE_METHODS:
            auth.check_csrf()
        return view(*args, **kwargs)

    return _mark(cast("View", guarded), "session")


def published_or_signed_in(view: View) -> View:
    """Let anyone see a survey that publishes its results; others need a key or a session.

    The view's first argument is ``survey_id``, and it only reads.
    """

    @wraps(view)
    def guarded(survey_id: str, **kwargs: Any) -> Any:
        auth, store = services().auth, services().store
        # Asked first, so that without a key no answer tells which surveys exist.
        if not (_is_published(store, survey_id) or auth.has_key() or auth.has_session()):
            raise _key_required("these results are not published; send an API key")
        return view(survey_id, **kwargs)

    return _mark(cast("View", guarded), "published")


def check_access(app: Flask) -> None:
    """Refuse an application with a view that does not say who may call it.

    Raises
    ------
    RuntimeError
        If there is one. Static files are public by nature.
    """
    for rule in app.url_map.iter_rules():
        view = app.view_functions[rule.endpoint]
        if not hasattr(view, "access") and not rule.endpoint.endswith("static"):
            raise RuntimeError(f"route {rule.rule} does not declare who may call it; see access.py")


def _key_required(without: str) -> Refused:
    """Return the refusal of a request with no API key, or with an invalid one."""
    if "Authorization" in request.headers:
        return Refused(
            "the API key is unknown or revoked; `tossup key list` on the server shows which there"
            " are, `tossup key create` makes one",
            "key-required",
        )
    return Refused(without, "key-required")


def _is_published(store: Store, survey_id: str) -> bool:
    try:
        return store.survey(survey_id).survey.results == "public"
    except SurveyUnknown:
        return False


def _mark(view: View, access: str) -> View:
    view.access = access  # type: ignore[attr-defined]
    return view
