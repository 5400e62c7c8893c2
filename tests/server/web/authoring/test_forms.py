"""A survey from draft to deletion by plain forms, and what happens to what is wrong."""

import re
import tomllib
from dataclasses import replace
from datetime import date
from pathlib import Path

from tossup.server.store.records import Count
from tossup.server.surveys.file import load_survey
from tossup.server.surveys.publishing.publisher import create
from tossup.server.web.authoring.checking import check
from tossup.shared.signing import public_bytes, sign_manifest

ASKED = {
    "yes_no": {},
    "choice": {"options.en": "Bus\nTram\nBike"},
    "several": {"options.en": "Python\nRust\nC", "several.most": "2"},
    "ranking": {"options.en": "Red\nGreen\nBlue"},
    "integers": {"integers.low": "0", "integers.high": "10"},
}


def draft_of_five(author) -> str:
    """Return the address of a draft with a question of each of five kinds and a group."""
    address = author.begin()
    for place, (form, fields) in enumerate(ASKED.items(), 1):
        given = {
            "text.en": f"Question about {form}?",
            "form": form,
            "odds": "2" if place > 1 else "",
        }
        answer = author.save(f"{address}/questions/{place}", **given, **fields)
        assert answer.location == f"{address}/questions/{place}?checked=1"
    group = {"text.en": "Region?", "options.en": "North\nSouth"}
    author.save(f"{address}/groups/1", **group)
    return address


def text_of(author, address: str) -> str:
    return author.store.draft(int(address.rpartition("/")[2])).text


def test_a_survey_is_written_published_and_deleted(author):
    """Five kinds and a group; each page says what it does, and the survey is the draft."""
    address = draft_of_five(author)
    made = check(text_of(author, address))
    assert made.survey is not None, made.problems
    assert len(ASKED) == len(made.survey.questions)
    for page in (address, f"{address}/questions/1", f"{address}/groups/1", f"{address}/publish"):
        assert author.get(page).status_code == 200, page
    assert "1,537" in author.get(f"{address}/questions/1").text

    shared = author.post(f"{address}/publish", by="server")
    assert shared.location == "/surveys/habits/share?published=1", shared.text
    assert "#key=" in author.get(shared.location).text
    record = author.store.survey("habits")
    assert load_survey(text_of(author, address), record.survey.publisher.key) == record.survey
    assert author.get(address).status_code == 404

    assert author.post("/surveys/habits/close").status_code == 303
    assert author.store.survey("habits").state == "closed"
    assert author.post("/surveys/habits/delete", losing="0", address="habit").status_code == 422
    assert author.post("/surveys/habits/delete", losing="0", address="habits").status_code == 303
    assert "habits" not in [each.survey.id for each in author.store.surveys()]


def test_many_options_name_the_coins_that_need_fewer_people(author):
    """Of 40 options the usual coins need many times as many; of two there is nothing to say."""
    address = author.begin()
    told = r"With “auto” under “More” it takes ([\d,]+) people for 5 points"
    many = "\n".join(f"City {place}" for place in range(40))
    form = {"text.en": "Which?", "id": "which", "form": "choice"}
    author.save(f"{address}/questions/1", **form, **{"options.en": many})
    page = author.get(f"{address}/questions/1").text
    fewer = re.search(told, page)
    assert fewer
    assert int(fewer[1].replace(",", "")) < 44_946 / 2
    assert "44,946" in page
    assert "2,810 reports" in page
    author.save(f"{address}/questions/1", **form, **{"options.en": "Bus\nTram"})
    assert not re.search(told, author.get(f"{address}/questions/1").text)


def test_authors_are_told_of_a_question_that_no_browser_can_answer(author):
    """Before it is published and beside the link; not of one that browsers toss for."""
    address = author.begin()
    told = "The page for respondents asks nothing of this survey, because of both"
    author.save(f"{address}/questions/1", **{"text.en": "Ever?", "id": "ever", "form": "yes_no"})
    assert told not in author.get(f"{address}/publish").text
    both = {"vector.norm": "10", "options.en": "East\nNorth", "form": "vector", "id": "both"}
    author.save(f"{address}/questions/2", **{"text.en": "How far?"}, **both)

    assert told in author.get(f"{address}/publish").text
    assert told in author.get(author.post(f"{address}/publish", by="server").location).text


def test_a_next_version_shows_what_it_says_otherwise(author):
    """It begins with the file; words that changed under a name are shown, and must be meant."""
    address = author.begin()
    author.save(
        f"{address}/questions/1", **{"text.en": "Tried it?", "form": "yes_no", "id": "tried"}
    )
    author.post(f"{address}/publish", by="server")
    later = author.post("/surveys/habits/next").location
    assert "Tried it?" in author.get(f"{later}/questions/1").text

    author.save(
        f"{later}/questions/1", **{"text.en": "Ever tried it?", "form": "yes_no", "id": "tried"}
    )
    page = author.get(f"{later}/publish").text
    assert "Tried it?" in page
    assert "Ever tried it?" in page
    assert "version 2" in page
    assert author.post(f"{later}/publish", by="server").status_code == 422
    assert author.post(f"{later}/publish", by="server", same="on").status_code == 303
    assert author.store.survey("habits").survey.version == 2


def test_a_survey_that_was_signed_elsewhere_is_published_as_it_is(author, publisher_key):
    """Its key never comes here; another draft's signature, and a changed one, are refused."""
    address = author.begin()
    author.save(f"{address}/questions/1", **{"text.en": "Tried it?", "form": "yes_no"})
    taken = author.get(f"{address}/survey.toml").text
    key = public_bytes(publisher_key)
    signed = sign_manifest(load_survey(taken, key).payload, publisher_key)
    other = load_survey(taken.replace("Tried it?", "Had it?"), key)
    wrong = {
        "not this draft": sign_manifest(other.payload, publisher_key),
        "one byte": signed[:200] + (b"B" if signed[200:201] == b"A" else b"A") + signed[201:],
        "JSON": b"",
    }
    for what, envelope in wrong.items():
        answer = author.post(f"{address}/publish", by="elsewhere", envelope=envelope.decode())
        assert 422 == answer.status_code, what
        assert 'role="alert"' in answer.text, what
        assert [] == author.store.surveys(), what

    published = author.post(f"{address}/publish", by="elsewhere", envelope=signed.decode())
    assert "/surveys/habits/share?published=1" == published.location, published.text
    assert signed == author.store.envelope(author.store.survey("habits").survey.digest)
    assert key == author.store.survey("habits").survey.publisher.key


def test_an_analyst_reads_drafts_and_changes_none(author, app):
    """From the list to a page without a form; a viewer sees no draft at all."""
    address = draft_of_five(author)
    number = address.rpartition("/")[2]
    services = app.extensions["tossup"]
    seen = {}
    for role in ("analyst", "viewer"):
        member = services.store.add_member(f"a {role}", role)
        browser = app.test_client()
        browser.set_cookie(services.auth.cookie, services.auth.begin_session(member.number))
        paths = ("/", f"{address}/read", f"{address}/survey.toml", address)
        seen[role] = [browser.get(path) for path in paths]

    listed, page, file, editor = seen["analyst"]
    assert f'href="/drafts/{number}/read"' in listed.text
    assert "Question about ranking?" in page.text
    assert "1,537" in page.text
    assert "<form" not in page.text.partition("<main")[2]
    assert (text_of(author, address), 403) == (file.text, editor.status_code)
    assert "/drafts/" not in seen["viewer"][0].text
    assert [403, 403, 403] == [answer.status_code for answer in seen["viewer"][1:]]


def test_the_list_says_what_a_survey_found_first(author, publisher_key, survey):
    """A figure never without its range and n; or how far it is from one."""
    store = author.store
    few, many = (replace(survey, id=name, opens=None, closes=None) for name in ("few", "many"))
    with store.write() as transaction:
        for made, reports in ((few, 3), (many, 200)):
            transaction.add_manifest(made, sign_manifest(made.payload, publisher_key))
            about = made.digest, made.questions[0].id, date(2026, 3, 14), 0
            counts = [Count(*about, value, reports) for value in (0, 1)]
            transaction.count(made.id, counts, 2 * reports)
    page = author.get("/").text

    figure = r'class="n">.+?</span> <span class="r">.+?</span>.*\(400 reports\)'
    assert re.search(figure, page, re.DOTALL)
    assert re.search(r"6 of the \d+ reports that an estimate needs", page)


def test_what_is_missing_is_said_beside_its_field_and_nothing_typed_is_lost(author):
    """The summary links to each field; the draft keeps what was typed, wrong or not."""
    address = author.begin()
    assert 'aria-invalid="true"' not in author.get(f"{address}/questions/1").text
    form = {"form": "choice", "text.en": "", "options.en": "Time\nGrades\nTime"}
    page = author.get(author.save(f"{address}/questions/1", **form).location).text

    assert "<title>Error:" in page
    assert 'href="' in page
    assert "#f-text-en" in page
    assert "#f-options-en" in page
    assert page.count('aria-invalid="true"') == 2
    assert "Time\nGrades\nTime" in page
    assert author.get(f"{address}/publish").location == f"{address}?checked=1"


def test_lines_that_are_no_toml_are_not_saved_and_stay_on_the_page(author):
    """The one thing that a file cannot hold; everything else that was typed is there, too."""
    address = author.begin()
    form = {"form": "yes_no", "text.en": "Tried it?", "more": "odds ="}
    answer = author.save(f"{address}/questions/1", **form)

    assert answer.status_code == 422
    assert "odds =" in answer.text
    assert "Tried it?" in answer.text
    assert tomllib.loads(text_of(author, address))["question"][0]["text"] == ""


def test_nobody_overwrites_what_they_have_not_seen(author):
    """The second of two pages is told, shows what was typed, and can save it then."""
    address = author.begin()
    author.save(f"{address}/questions/1", **{"form": "yes_no", "text.en": "First?"})
    form = {"form": "yes_no", "text.en": "Second?"}
    stale = author.post(f"{address}/questions/1", revision="1", **form)

    assert stale.status_code == 409
    assert "Second?" in stale.text
    revision = re.search(r'name="revision" value="(\d+)"', stale.text)[1]
    assert author.post(f"{address}/questions/1", revision=revision, **form).status_code == 303


def test_a_file_goes_in_and_out(author):
    """What is taken out makes the same survey; what is no survey file is shown again."""
    address = draft_of_five(author)
    text = author.get(f"{address}/survey.toml").text
    again = author.post("/drafts/import", text=text).location.partition("?")[0]
    wrong = author.post("/drafts/import", text='id = "a"\nqestion = 3')

    assert load_survey(text, bytes(32)) == load_survey(text_of(author, again), bytes(32))
    assert wrong.status_code == 422
    assert "qestion" in wrong.text
    assert "did you mean" in wrong.text


def test_questions_are_moved_and_taken_out(author):
    """In the form that also saves what was typed."""
    address = draft_of_five(author)
    form = {"form": "choice", "text.en": "Which?", "options.en": "A\nB"}
    moved = author.save(f"{address}/questions/2", then="up", **form)
    assert moved.location == f"{address}/questions/1?checked=1"
    author.save(f"{address}/questions/2", then="remove", form="yes_no")

    asked = tomllib.loads(text_of(author, address))["question"]
    assert ["Which?", "Question about several?"] == [part["text"] for part in asked[:2]]
    assert len(ASKED) - 1 == len(asked)


def test_a_trial_tosses_and_keeps_nothing(author):
    """Its page needs no session; its manifest is signed, and what is sent to it counts nowhere."""
    address = draft_of_five(author)
    draft = author.store.draft(int(address.rpartition("/")[2]))
    page = author.get(f"/try/{draft.trial}")

    assert page.status_code == 200
    assert "trial.js" in page.text
    assert author.get(f"/try/{draft.trial}/v1/surveys/habits").status_code == 200
    assert author.get("/try/none").status_code == 404
    assert author.store.surveys() == []


def test_only_the_key_that_signed_before_signs_a_next_version(author, app):
    """Another one is not offered: devices pin the first; a lost key is told what is left to do."""
    asked = {"text.en": "Tried it?", "form": "yes_no", "id": "tried"}
    first = author.begin()
    author.save(f"{first}/questions/1", **asked)
    author.post(f"{first}/publish", by="server")
    path: Path = app.extensions["tossup"].config.publisher_key
    again = author.post("/surveys/habits/next").location
    author.save(f"{again}/questions/1", **asked | {"text.en": "Ever tried it?"})
    pages = [author.get(f"{again}/publish").text]
    path.unlink()
    pages.append(author.get(f"{again}/publish").text)
    create(path)
    pages.append(author.get(f"{again}/publish").text)
    refused = author.post(f"{again}/publish", by="server", same="on")

    offered = ['value="server" disabled' not in page for page in pages]
    assert offered == [True, False, False]
    assert all("Where that key is lost, no next version can be" in page for page in pages)
    assert refused.status_code == 422
    assert "sign by that" in refused.text
