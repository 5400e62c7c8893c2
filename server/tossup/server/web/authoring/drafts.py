"""Routes of drafts: begun, written part by part, checked, taken out as a file, thrown away."""

import secrets
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any, Final

from flask import Blueprint, Response, render_template, request, url_for

from tossup.server.kinds import FORMS, kind_of_form
from tossup.server.kinds.choosing import named
from tossup.server.refusals import Refused
from tossup.server.store.drafts import Draft, DraftUnknown
from tossup.server.surveys.reading.tables import SurveyFileError, checked_table
from tossup.server.surveys.writing import written
from tossup.server.web.access import require, subject
from tossup.server.web.authoring import price, typed, words
from tossup.server.web.authoring.checking import Checked, check, parts, read, title_of
from tossup.server.web.pages.words.language import current_language
from tossup.server.web.services import services
from tossup.shared.signing import b64url

Answer = Response | str | tuple[str, int]

#: How each part of a draft becomes a form, and is written again.
_READ: Final[Mapping[str, Callable[..., typed.Typed]]] = {
    "questions": typed.question_typed,
    "groups": typed.group_typed,
}
_WRITE: Final[Mapping[str, Callable[..., typed.Table]]] = {
    "questions": typed.question_written,
    "groups": typed.group_written,
}
_INVALID: Final = HTTPStatus.UNPROCESSABLE_ENTITY
_KEYS: Final = {"questions": "question", "groups": "attribute"}
_NEW: Final[Mapping[str, Mapping[str, Any]]] = {
    "questions": {"id": "", "text": ""},
    "groups": {"id": "", "text": "", "answers": []},
}


def install(blueprint: Blueprint) -> None:
    """Add the routes."""
    blueprint.get("/drafts/new")(new)
    blueprint.post("/drafts/new", endpoint="begin")(begin)
    blueprint.get("/drafts/import")(import_form)
    blueprint.post("/drafts/import", endpoint="take_in")(take_in)
    blueprint.get("/drafts/<int:number>")(draft)
    blueprint.post("/drafts/<int:number>", endpoint="save")(save)
    part = "/drafts/<int:number>/<any(questions, groups):name>/<int:place>"
    blueprint.get(part)(part_form)
    blueprint.post(part, endpoint="save_part")(save_part)
    blueprint.get("/drafts/<int:number>/read")(read_only)
    blueprint.get("/drafts/<int:number>/survey.toml")(as_file)
    blueprint.get("/drafts/<int:number>/delete")(delete_form)
    blueprint.post("/drafts/<int:number>/delete", endpoint="delete")(delete)


@require("owner")
def new() -> str:
    """Ask for the few things that a survey begins with; who asks is as in the last draft."""
    table = _last_table()
    given = {"languages": current_language()} | {
        key: value
        for key, value in typed.survey_typed(table).items()
        if key.startswith("publisher.") or (key == "languages" and table)
    }
    return render_template("authoring/new.html", typed=given)


@require("owner")
def begin() -> Answer:
    """Keep a new draft, and go to its first question."""
    given = request.form.to_dict()
    languages = typed.languages_of(typed.survey_written({}, given))
    given |= {f"{key}.{languages[0]}": given.get(key, "") for key in ("title", "purpose")}
    table = typed.survey_written({}, given)
    title = given.get("title", "").strip()
    if not title:
        return render_template("authoring/new.html", typed=given, is_missing=True), _INVALID
    table["id"] = typed.new_id(title, _taken_ids())
    table["question"] = [dict(_NEW["questions"])]
    return _to(part_form, keep(table), name="questions", place=1)


@require("owner")
def import_form() -> str:
    """Show where a survey file is taken in."""
    return render_template("authoring/import.html", text="", problems=())


@require("owner")
def take_in() -> Answer:
    """Keep a survey file as a draft; one with keys or types that none has is shown again."""
    uploaded = request.files.get("file")
    sent = uploaded.read() if uploaded else b""
    text = sent.decode("utf-8-sig", "replace") if sent else request.form.get("text", "")
    try:
        table = checked_table(text.replace("\r\n", "\n"))
    except SurveyFileError as error:
        problems = str(error).split("\n")
        page = render_template("authoring/import.html", text=text, problems=problems)
        return page, _INVALID
    return _to(draft, keep(table), checked=1)


@require("owner")
def draft(number: int) -> Answer:
    """Show what is said of the survey as a whole."""
    return _survey_page(find(number))


@require("owner")
def save(number: int) -> Answer:
    """Keep what was typed of the survey as a whole."""
    found, given = find(number), request.form.to_dict()
    try:
        table = typed.survey_written(read(found.text), given)
    except typed.NotToml as error:
        return _survey_page(found, given, str(error)), _INVALID
    if not table["id"]:
        table["id"] = typed.new_id(given.get("title", ""), _taken_ids())
    if not _saved(found, table):
        return _survey_page(find(number), given, is_stale=True), HTTPStatus.CONFLICT
    return _onward(number, table, given) or _to(draft, number, checked=1)


@require("owner")
def part_form(number: int, name: str, place: int) -> Answer:
    """Show one question or one group."""
    return part_page(find(number), name, place)


@require("owner")
def save_part(number: int, name: str, place: int) -> Answer:
    """Keep what was typed of one question or group, and move or remove it if that was pressed."""
    found, given = find(number), request.form.to_dict()
    subject(f"{number}, {name.rstrip('s')} {place}")
    if given.get("odds") == "own":
        given["odds"] = given.get("odds_own", "")
    table = read(found.text)
    listed = _listed(table, name, place)
    try:
        made = _WRITE[name](given, typed.languages_of(table))
    except typed.NotToml as error:
        return part_page(found, name, place, given, str(error)), _INVALID
    others = [part.get("id", "") for part in parts(table, "questions") + parts(table, "groups")]
    label = next((given[key] for key in given if key.startswith("text.") and given[key]), "")
    made["id"] = made["id"] or typed.new_id(label[:40] or name.rstrip("s"), [*others, ""])
    listed[place - 1] = made
    place = _moved(listed, place, given.get("then", ""))
    table[_KEYS[name]] = listed
    if not listed:
        del table[_KEYS[name]]
    if not _saved(found, table):
        return part_page(find(number), name, place, given, is_stale=True), HTTPStatus.CONFLICT
    if not listed or given.get("then") == "remove":
        return _to(draft, number)
    onward = _onward(number, table, given)
    return onward or _to(part_form, number, name=name, place=place, checked=1)


@require("analyst")
def read_only(number: int) -> str:
    """Show a draft to who does not write it: what it asks, what it takes, and its file."""
    return read_page(find(number))


def read_page(found: Draft) -> str:
    """Return a draft's page for who does not write it."""
    checked = check(found.text)
    asked = parts(checked.table, "questions")
    return render_template(
        "authoring/read_only.html",
        draft=found,
        checked=checked,
        title=title_of(checked.table),
        prices=[
            (part, price.price_of(checked.table, place)) for place, part in enumerate(asked, 1)
        ],
        together=checked.survey and price.together(checked.survey),
        told=words,
    )


@require("analyst")
def as_file(number: int) -> Response:
    """Send the draft as the survey file that it is."""
    found = find(number)
    response = Response(found.text, content_type="application/toml; charset=utf-8")
    name = read(found.text).get("id") or f"draft-{number}"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}.toml"'
    return response


@require("owner")
def delete_form(number: int) -> str:
    """Ask before a draft is thrown away."""
    return render_template("authoring/delete_draft.html", draft=find(number), title=_title(number))


@require("owner")
def delete(number: int) -> Response:
    """Throw a draft away."""
    services().store.end_draft(find(number).number, None)
    return see(url_for("dashboard.surveys"))


def find(number: int) -> Draft:
    """Return a draft that is one still.

    Raises
    ------
    Refused
        ``not-found`` if there is none with this number, or it was published.
    """
    try:
        found = services().store.draft(number)
    except DraftUnknown as error:
        raise Refused(str(error), "not-found") from error
    if found.published is not None:
        raise Refused("this draft was published; the survey has the next version", "not-found")
    return found


def keep(table: Mapping[str, Any]) -> int:
    """Keep a new draft with this table; return its number."""
    trial = b64url(secrets.token_bytes(16))
    return services().store.add_draft(written(table), trial).number


def _survey_page(
    found: Draft, given: Mapping[str, str] | None = None, wrong: str = "", *, is_stale: bool = False
) -> str:
    checked = check(found.text)
    shown = _shown(found, checked, "", 0, wrong, is_stale=is_stale)
    form = given or typed.survey_typed(checked.table)
    return render_template("authoring/draft.html", typed=form, **shown)


def part_page(
    found: Draft,
    name: str,
    place: int,
    given: Mapping[str, str] | None = None,
    wrong: str = "",
    *,
    is_stale: bool = False,
) -> str:
    """Return the page of a part of a draft: a question or a group, by its place from 1.

    Parameters
    ----------
    found
        The draft.
    name, place
        ``"questions"`` or ``"groups"``, and which of them.
    given
        What was typed and not kept; what the draft says by default.
    wrong
        Why it was not kept, in English.
    is_stale
        Whether somebody saved the draft since the form was opened.
    """
    checked = check(found.text)
    listed = _listed(checked.table, name, place)
    form = given or _READ[name](listed[place - 1], checked.languages)
    shown = _shown(found, checked, name, place, wrong, is_stale=is_stale) | {"typed": form}
    if name == "groups":
        return render_template("authoring/groups.html", **shown)
    table = {**checked.table, _KEYS[name]: listed}
    return render_template(
        "authoring/questions.html",
        forms=words.offered(FORMS),
        price=price.price_of(table, place),
        by_odds=price.prices_by_odds(table, place),
        auto=price.cheaper(table, place),
        mechanisms=_mechanisms(form.get("form", "")),
        **shown,
    )


def _shown(
    found: Draft, checked: Checked, name: str, place: int, wrong: str, *, is_stale: bool
) -> dict[str, Any]:
    """Return what every page of a draft shows."""
    problems = checked.of(name, place)
    is_checked = "checked" in request.args or bool(wrong)
    # A form that nobody has saved yet is not wrong: what it lacks is listed beside it.
    told_beside = problems if is_checked or is_stale else ()
    return {
        "draft": found,
        "checked": checked,
        "name": name,
        "place": place,
        "wrong": wrong,
        "is_stale": is_stale,
        "is_checked": is_checked,
        "problems": problems,
        "by_field": {each.field: each.what for each in reversed(told_beside)},
        "draft_languages": checked.languages,
        "questions": parts(checked.table, "questions"),
        "groups": parts(checked.table, "groups"),
        "told": words,
        "title": title_of(checked.table),
        "together": checked.survey and price.together(checked.survey),
    }


def _mechanisms(form: str) -> list[tuple[str, str]]:
    """Return the mechanisms that a file may name for a way to ask, each as value and words."""
    kind = kind_of_form(form)
    return [(name, name) for name in ("auto", *named.for_kind(kind.name))] if kind else []


def _listed(table: Mapping[str, Any], name: str, place: int) -> list[dict[str, Any]]:
    """Return the questions or groups, with a new one where the place is one beyond the last."""
    listed = parts(table, name)
    if place == len(listed) + 1:
        listed.append(dict(_NEW[name]))
    if not 1 <= place <= len(listed):
        raise Refused("the draft has no such part any more", "not-found")
    return listed


def _moved(listed: list[dict[str, Any]], place: int, then: str) -> int:
    """Move or remove a part; return its place."""
    step = {"up": -1, "down": 1}.get(then, 0)
    if then == "remove":
        del listed[place - 1]
    elif 1 <= place + step <= len(listed):
        listed.insert(place - 1 + step, listed.pop(place - 1))
        place += step
    return place


def _saved(found: Draft, table: Mapping[str, Any]) -> bool:
    seen = request.form.get("revision", "")
    revision = int(seen) if seen.isascii() and seen.isdigit() and len(seen) < 18 else -1
    return services().store.save_draft(found.number, written(table), revision)


def _onward(number: int, table: Mapping[str, Any], given: Mapping[str, str]) -> Response | None:
    """Return the way to the page whose button was pressed; None to stay."""
    name = {"add-question": "questions", "add-group": "groups"}.get(given.get("then", ""))
    if name is None:
        return None
    return _to(part_form, number, name=name, place=len(parts(table, name)) + 1)


def _to(view: Callable[..., Any], number: int, **values: Any) -> Response:
    return see(url_for(f"authoring.{view.__name__}", number=number, **values))


def see(address: str) -> Response:
    """Return the way to another page, after a form was taken."""
    response = Response(status=HTTPStatus.SEE_OTHER)
    response.headers["Location"] = address
    return response


def _last_table() -> Mapping[str, Any]:
    drafts = services().store.drafts()
    return read(drafts[-1].text) if drafts else {}


def _taken_ids() -> list[str]:
    store = services().store
    drafted = [read(each.text).get("id", "") for each in store.drafts()]
    return [*drafted, *store.survey_ids()]


def _title(number: int) -> str:
    return title_of(read(find(number).text))
