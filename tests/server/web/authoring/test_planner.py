"""The planner: every kind of question and every wish by its address, and what cannot be planned."""

import re
from urllib.parse import urlencode

import pytest

from tossup.server.kinds import FORMS
from tossup.server.planning.whole_survey import for_margin
from tossup.server.surveys.file import load_survey
from tossup.server.web.authoring.planning.wish import DEFAULTS, WANTS, read

#: Kinds whose coins take seconds to be found for one odds after the other.
SLOW = ("text", "moments")


def planned(author, **typed: str):
    return author.get(f"/plan?{urlencode(typed)}")


def headline(page) -> str:
    """Return the large number or the verdict of a plan."""
    found = re.search(r'class="big"><span>(.*?)</span>|class="headline">(.*?)<', page.text)
    return (found[1] or found[2]) if found else ""


@pytest.mark.parametrize(
    "slow", [False, pytest.param(True, marks=pytest.mark.prove)], ids=["most kinds", "slow kinds"]
)
def test_every_kind_answers_every_wish(author, slow: bool):
    """For groups and waves as well; a plan's number is the one of a survey's file."""
    for form in [form for form in FORMS if (form in SLOW) == slow]:
        for want in WANTS:
            more = {"people": "200000", "groups": "2", "waves": "3", "times": "2"}
            page = planned(author, form=form, want=want, **more)
            assert page.status_code == 200, (form, want, page.text)
            assert headline(page), (form, want)
        wish, wrong = read({**DEFAULTS, "form": form})
        assert wrong == {}
        needed = for_margin(load_survey(wish.file(wish.odds), bytes(32)), 0.05)[0].respondents
        assert f"{needed:,}" == headline(planned(author, form=form)), form


def test_it_says_what_the_editor_says(author):
    """1,537 people for 5 points of yes or no, 391 for a curator, 385 asked directly."""
    page = planned(author).text

    assert "1,537" == headline(planned(author))
    assert re.search(r"5 points</th><td>1,537</td><td>391</td><td>385<", page)
    assert "±6.2" == headline(planned(author, want="people", people="1000"))
    groups = planned(author, want="difference", groups="4").text
    assert "people in each group tell two of them 10 points apart" in groups


def test_what_cannot_be_planned_is_said_beside_its_field(author):
    """Nothing typed is lost, and the summary leads to the field."""
    wrong = {
        "margin": {"margin": "five"},
        "odds": {"odds": "1"},
        "people": {"people": "1.5"},
        "times": {"waves": "2", "times": "3"},
        "chance": {"want": "demands", "chance": ""},
        "limit": {"want": "demands", "limit": "0.5"},
    }
    for field, typed in wrong.items():
        page = planned(author, **typed)
        assert page.status_code == 422, field
        assert f'href="#f-{field}"' in page.text, field
        assert 'aria-invalid="true"' in page.text, field
        assert all(f'value="{value}"' in page.text for value in typed.values()), field
    refused = {
        "low below high": {"form": "integers", "integers.low": "9", "integers.high": "1"},
        "more groups than people": {"want": "people", "people": "2", "groups": "3"},
        "fine a grid": {"want": "demands", "form": "integers", "integers.high": "200"},
    }
    for what, typed in refused.items():
        page = planned(author, **typed)
        assert page.status_code == 422, what
        assert what in page.text, (what, re.search(r"no such plan.*?</section>", page.text, re.S))


def test_demands_that_no_odds_meet_say_so(author):
    """The curator's range stands beside: sampling is what is left to both."""
    page = planned(author, want="demands", people="300", deviation="3", beyond="", chance="")

    assert "No odds that may be spent meet this." == headline(page)
    assert "A curator who sees every answer" in page.text
