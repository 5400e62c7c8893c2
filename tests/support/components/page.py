"""The page of components: the pages' own templates, over the made-up surveys."""

from datetime import date
from typing import Final

from flask import render_template
from markupsafe import Markup

from components import surveys as samples
from tossup.server.results import is_tabled
from tossup.server.store.drafts import Draft
from tossup.server.store.members import ROLES, KeyRecord, Member
from tossup.server.store.records import SurveyRecord
from tossup.server.web.authoring.drafts import part_page, read_page
from tossup.server.web.authoring.planning.page import plan_page
from tossup.server.web.authoring.planning.wish import DEFAULTS
from tossup.server.web.authoring.publishing import publish_page
from tossup.server.web.pages.figures.progress import ways
from tossup.server.web.pages.joint_table import joint_view
from tossup.server.web.pages.overview import Standing
from tossup.server.web.pages.page import Glance, question_views

#: Between these a page says what is its own.
_MAIN: Final = ('<main id="main" tabindex="-1">', "</main>")
#: And between these the price panel is.
_PANEL: Final = ('<aside class="price" aria-labelledby="pr">', "</aside>")
_MEMBER: Final = Member(0, "ada", "analyst", date(2026, 1, 5), None)


def components() -> str:
    """Return the page."""
    made = {**_results(), **_asking(), **_authoring(), **_people()}
    # Output of templates, escaped there.
    shown = {name: Markup(part) for name, part in made.items()}
    return render_template("components.html", shown=shown)


def _results() -> dict[str, str]:
    """Return what pages of results say, by the name of what is shown."""
    row = render_template("dashboard/_row.html", view=Glance(samples.found("shares").questions[0]))
    return {
        **{f"Results: {name}": _survey(name) for name in samples.NAMES},
        "A row in the list of surveys": f'<div class="author">{row}</div>',
        "Two questions: a grid of coins": _joint(few=False),
        "Two questions: too few reports": _joint(few=True),
    }


def _survey(name: str) -> str:
    found = samples.found(name)
    standing = Standing(samples.record(found.survey), samples.LAST, quiet=False)
    return render_template(
        "dashboard/_survey.html",
        results=found,
        views=question_views(found),
        standing=standing,
        ways=ways(found, standing, samples.LAST),
        people=None,
        at_least=None,
        days=None,
        query={},
        as_of=None,
    )


def _joint(*, few: bool) -> str:
    survey, found = samples.sample("shares"), samples.joint(few=few)
    return render_template(
        "dashboard/_joint.html",
        survey=survey,
        tabled=[question for question in survey.questions if is_tabled(question)],
        names=[question.id for question in found.questions],
        query={},
        view=joint_view(found),
        as_of=None,
    )


def _asking() -> dict[str, str]:
    """Return the pages that ask before something is lost."""
    now, ended = (samples.record(samples.sample("shares"), closed=by) for by in (False, True))
    pages = {
        "Close": _ending("close", now),
        "Reopen": _ending("close", ended),
        "No reopening": _ending("close", ended, fault=True),
        "Delete": _ending("delete", now),
        "Delete: not yet": _ending("delete", now, wrong="address"),
    }
    return {name: _main(page) for name, page in pages.items()}


def _ending(name: str, record: SurveyRecord, **more: object) -> str:
    return render_template(f"authoring/{name}.html", survey=record.survey, record=record, **more)


def _authoring() -> dict[str, str]:
    """Return the price panel, the signing box, the planner, and how a draft is thrown away."""
    draft = _draft(samples.DRAFT)
    faulty = _draft(samples.DRAFT.replace("Have you ever driven home drunk?", ""))
    dear = _draft(f"question_cap = 81{samples.DRAFT}odds = 81\n")
    thrown = render_template("authoring/delete_draft.html", draft=draft, title="Nights out")
    pages = {
        "A question's form and its price panel": part_page(draft, "questions", 1),
        "A draft as an analyst reads it": read_page(draft),
        "The signing box": publish_page(draft),
        "The signing box: what no browser asks": publish_page(dear),
        "The planner": plan_page(DEFAULTS)[0],
        "Throw a draft away": thrown,
    }
    missing = _between(part_page(faulty, "questions", 1), *_PANEL)
    panel = f'<div class="author"><div class="price">{missing}</div></div>'
    shown = {name: _main(page) for name, page in pages.items()}
    return {**shown, "A price panel: something is missing": panel}


def _people() -> dict[str, str]:
    """Return the pages of members and keys that ask or refuse."""
    key = KeyRecord(0, b"", "nightly export", _MEMBER.created, revoked=False)
    pages = {
        "Members": render_template(
            "people/members.html", members=[_MEMBER], roles=ROLES, own=None, typed={}
        ),
        "Remove a member": render_template("people/remove.html", member=_MEMBER),
        "Revoke a key": render_template("people/revoke.html", key=key),
        "A form after its session": render_template(
            "dashboard/sign_in_required.html", typed=[("title", "Nights out")]
        ),
        "Sign in: refused": render_template("people/sign_in.html", wrong="wrong", name="ada"),
    }
    return {name: _main(page) for name, page in pages.items()}


def _draft(text: str) -> Draft:
    return Draft(0, text, "sample", samples.LAST, 0, None)


def _main(page: str) -> str:
    """Return what a page says, without the frame that all pages share."""
    return _between(page, *_MAIN)


def _between(page: str, start: str, end: str) -> str:
    return page.partition(start)[2].rpartition(end)[0]
