"""The page behind a respondent's link, as the server sends it."""

import re
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest

from tossup.server.config import Config, ConfigError
from tossup.server.surveys.file import load_survey
from tossup.server.surveys.link import as_blocks, as_svg
from tossup.server.web.app import create_app
from tossup.server.web.pages.facts import belief
from tossup.server.web.pages.respondent import asked, policy, tongues
from tossup.shared.survey import Text
from tossup.shared.wire import MANIFEST_TYPE

ROOT = Path(__file__).parents[2]
BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
LINK = "/v1/surveys/marriage-1978"

FIVE = """
id = "five"
title = "Five kinds"
purpose = "To see them."
[publisher]
name = "Example University"
contact = "irb@example.org"
[[question]]
id = "tried"
text = "Ever tried?"
ODDS
[[question]]
id = "often"
text = "How often?"
answers = ["Never", "Weekly"]
refusal = "randomized"
[[question]]
id = "which"
text = "Which?"
answers = { several = ["Python", "Rust", "C"], most = 2 }
[[question]]
id = "hours"
text = "How many hours?"
answers = { integers = [0, 10] }
[[question]]
id = "order"
text = "In which order?"
answers = { ranking = ["Bus", "Tram", "Bike"] }
"""


@pytest.fixture
def five(app, publisher_key, put):
    """A survey of five kinds of question, in the application's store."""

    def made(odds: str = "", **changes):
        key = publisher_key.public_key().public_bytes_raw()
        survey = replace(load_survey(FIVE.replace("ODDS", odds), key), **changes)
        put(app, survey, [], publisher_key)
        return survey

    return made


def page(client, path: str = "/v1/surveys/five") -> str:
    return client.get(path, headers=BROWSER).text


class TestNegotiation:
    @pytest.mark.parametrize(
        ("accept", "is_page"),
        [
            (BROWSER["Accept"], True),
            ("text/html", True),
            ("*/*", False),
            (MANIFEST_TYPE, False),
            (f"{MANIFEST_TYPE}, text/html;q=0.9", False),
            ("application/json", False),
        ],
    )
    def test_browsers_get_the_page_and_programs_the_manifest(self, client, filled, accept, is_page):
        """At one address; caches are told that it depends on what was asked for."""
        answer = client.get(LINK, headers={"Accept": accept})

        assert answer.mimetype == ("text/html" if is_page else MANIFEST_TYPE)
        assert "Accept" in answer.headers["Vary"]

    def test_programs_that_ask_for_nothing_get_the_manifest(self, client, filled):
        """As before there were pages."""
        assert client.get(LINK).mimetype == MANIFEST_TYPE


class TestStates:
    def test_a_closed_survey_says_so_and_asks_nothing(
        self, app, client, bilingual, put, publisher_key, day
    ):
        """With its day and who asked; its script finds no question to toss for."""
        put(app, replace(bilingual, closes=day(400)), [], publisher_key)
        answer = client.get(LINK, headers=BROWSER)

        assert answer.status_code == 410
        assert "This survey closed on" in answer.text
        assert "irb@example.org" in answer.text
        assert "page.js" in answer.text, "late reports are sent"
        assert "<form" not in answer.text

    def test_a_survey_that_opens_later_names_the_day(
        self, app, client, bilingual, put, publisher_key, day
    ):
        """And asks nothing until then, nor offers results that cannot be there."""
        put(app, replace(bilingual, opens=day(-30), results="public"), [], publisher_key)

        assert "It opens on" in page(client, LINK)
        assert "Toss and send" not in page(client, LINK)
        assert "Read the results" not in page(client, LINK)

    @pytest.mark.parametrize("path", ["/v1/surveys/none", "/v1/surveys/none/privacy"])
    def test_an_unknown_survey_is_a_page(self, client, path):
        """In words, with the status of what is not there."""
        answer = client.get(path, headers=BROWSER)

        assert (answer.status_code, answer.mimetype) == (404, "text/html")
        assert "There is no such survey here" in answer.text

    def test_every_outcome_has_a_screen(self, client, five):
        """What the SDK may say where nothing is asked is said in words of its own."""
        five()
        screens = set(re.findall(r'data-screen="([a-z-]+)"', page(client)))
        source = (ROOT / "client/web/src/outcome.ts").read_text(encoding="utf-8")
        outcomes = set(re.findall(r'\| "([a-z-]+)"', source))

        # The first two are no trouble; the receipt, the form and Start say the others.
        elsewhere = {"queued", "stored", "already-answered", "refused-answer", "no-consent"}
        assert outcomes - elsewhere <= screens

    def test_without_a_script_the_page_says_why_nothing_can_be_sent(self, client, five):
        """The server must not toss: it would see the answer."""
        five()

        assert "a server that tossed for you would see your answer" in page(client)


class TestFigures:
    @pytest.mark.parametrize("odds", ["", "odds = 2", "odds = 9", 'odds = "5/2"'])
    def test_they_are_computed_from_the_manifest(self, client, five, odds):
        """Chances of both answers, the belief after the report, and all answers together."""
        survey = five(odds)
        question = survey.questions[0]
        yes = question.mechanism.channel()[1][1]
        shown = page(client)

        assert f"answer is yes, {float(100 * yes):.3g} send" in shown
        assert f"answer is no, {float(100 * (1 - yes)):.3g} send" in shown
        assert asked.belief_in_words(survey.odds) in shown
        assert float(asked.belief_in_words(question.mechanism.odds)) >= 100 * belief(
            question.mechanism.odds
        )

    def test_every_question_tells_what_can_be_sent(self, client, five):
        """Each in the words of its kind."""
        five()
        shown = page(client)

        for words in (
            "Of 100 people whose answer is yes",
            "Of 100 people with an answer",
            "Of 100 people who tick an option",
            "Coins turn your number into one of",
            "One of the options is sent alone",
        ):
            assert words in shown

    def test_figures_are_the_same_on_the_privacy_page(self, client, five):
        """With the key, the digest and the fingerprints of the scripts to compare."""
        survey = five()
        shown = page(client, "/v1/surveys/five/privacy")

        assert survey.digest in shown
        assert "sha384-" in shown
        assert "243 to 1" in shown


class TestNotAnswering:
    def test_it_is_offered_at_every_question_that_has_no_option_for_it(self, client, five):
        """Four questions of five send nothing; at the fifth it is an option like the others."""
        five()
        shown = page(client)

        assert shown.count("data-skip") == 4
        assert shown.count("goes through the coins like any other answer") == 1

    def test_answers_that_travel_together_cannot_be_left_out_alone(self, client, five):
        """They are on one screen, and sent by one button."""
        five(linkage="joint")
        shown = page(client)

        assert "data-skip" not in shown
        assert shown.count("Toss and send</button>") == 1


class TestLanguages:
    def test_the_survey_speaks_its_language_and_the_page_the_nearest_it_has(
        self, app, client, five
    ):
        """Arabic texts are marked as such, and set from right to left; the rest is English."""
        survey = five()

        def also_arabic(text: Text) -> Text:
            return {"en": text["en"], "ar": "نص"}

        both = replace(
            survey,
            id="both",
            languages=("en", "ar"),
            title=also_arabic(survey.title),
            purpose=also_arabic(survey.purpose),
            questions=(replace(survey.questions[0], text=also_arabic(survey.questions[0].text)),),
        )
        with app.test_request_context():
            tongues.choose(both, ["ar"])
            assert [tongue.tag for tongue in tongues.tongues(both)] == ["en", "ar", "zh-Hans"]
            assert str(tongues.said(both.title)) == '<bdi class="survey-text" lang="ar">نص</bdi>'

    def test_the_switch_offers_the_survey_s_languages_and_the_page_s(self, client, five):
        """What a survey does not speak is offered for the page's own words."""
        five()
        shown = client.get("/v1/surveys/five?lang=zh-Hans", headers=BROWSER).text

        assert '<html lang="zh-Hans">' in shown
        assert '<bdi class="survey-text" lang="en">Ever tried?</bdi>' in shown
        assert 'href="/v1/surveys/five?lang=en"' in shown

    def test_sentences_are_parted_as_their_language_does(self, client, five):
        """By a space; in Chinese, whose marks are as wide as with one, by nothing."""
        for survey_id, linkage in (("apart", "none"), ("along", "joint")):
            five(id=survey_id, linkage=linkage)
            for address in (f"/v1/surveys/{survey_id}", f"/v1/surveys/{survey_id}/privacy"):
                for tag, wrong in (
                    ("zh-Hans", r"[。；？：] +[\u4e00-\u9fffA-Z]"),
                    ("en", r"[a-z)][.:?][A-Z]"),
                ):
                    shown = client.get(f"{address}?lang={tag}", headers=BROWSER).text
                    text = re.sub(r"</?(?:strong|code|bdi|a)\b[^>]*>", "", shown)

                    assert re.findall(wrong, re.sub(r"<[^>]*>", "\n", text)) == [], address


class TestSafety:
    def test_hostile_texts_are_text(self, client, five):
        """Markup in every text of a manifest shows as it was typed."""
        evil = {"en": "<script>alert(1)</script>\"'&{{ 7*7 }}"}
        survey = five()
        five(
            id="evil",
            title=evil,
            purpose=evil,
            questions=tuple(replace(q, text=evil) for q in survey.questions),
        )

        for path in ("", "/privacy", "/poster"):
            shown = page(client, f"/v1/surveys/evil{path}")
            assert "<script>" not in shown
            assert "&lt;script&gt;alert(1)" in shown
            assert "{{ 7*7 }}" in shown

    def test_no_form_can_be_sent_anywhere(self, client, five):
        """Should the script fail half-way, Enter must not put an answer into an address."""
        five()
        answer = client.get("/v1/surveys/five", headers=BROWSER)

        assert "form-action 'none'" in answer.headers["Content-Security-Policy"]
        assert not re.search(r"<form[^>]*(action|method)=", answer.text)

    def test_only_named_origins_may_frame_the_page(self, tmp_path):
        """None by default; an origin that would end the directive is refused."""
        with pytest.raises(ConfigError, match="embedded_by"):
            Config(data=tmp_path, embedded_by=("https://a.example; script-src *",))
        app = create_app(Config(data=tmp_path, embedded_by=("https://a.example",)))
        answer = app.test_client().get("/v1/surveys/none", headers=BROWSER)
        app.extensions["tossup"].close()

        assert "frame-ancestors https://a.example" in answer.headers["Content-Security-Policy"]
        assert "frame-ancestors 'none'" in policy.policy()

    def test_it_sets_and_reads_no_cookie(self, client, five):
        """A respondent who is signed in elsewhere on this server is nobody here."""
        five()
        answer = client.get("/v1/surveys/five", headers=BROWSER)

        assert "Set-Cookie" not in answer.headers
        assert "Cookie" not in answer.headers["Vary"]


def test_the_poster_shows_the_link_as_text_and_as_a_code(app, client, five):
    """With the key, as `tossup survey create` prints it."""
    five()
    link = re.search(
        r"http://localhost/v1/surveys/five#key=[\w-]{43}", page(client, "/v1/surveys/five/poster")
    )
    drawn = client.get("/v1/surveys/five/code.svg")

    assert link
    assert drawn.data == as_svg(link[0])
    assert drawn.mimetype == "image/svg+xml"


@pytest.mark.parametrize("path", ["/v1/surveys/five", "/v1/surveys/five/privacy"])
def test_respondents_read_words_of_the_eighth_grade_at_most(client, five, path):
    """By Flesch and Kincaid's formula (1975), over all sentences, with syllables by vowels."""
    five()
    main = page(client, path).partition("<main")[2].partition("</main>")[0]
    parts = re.findall(r"<(p|li|h1|h2|dd|td)\b[^>]*>(.*?)</\1>", main, re.DOTALL)
    texts = [" ".join(re.sub(r"<[^>]+>", "", text).split()) for _, text in parts]
    said = [each for text in texts for each in re.split(r"(?<=[.?!])\s+", text)]
    sentences = [found for each in said if len(found := re.findall(r"[a-z']+", each.lower())) > 2]
    words = [word for sentence in sentences for word in sentence]
    syllables = sum(len(re.findall(r"[aeiouy]+", re.sub(r"e$", "", word))) or 1 for word in words)
    grade = 0.39 * len(words) / len(sentences) + 11.8 * syllables / len(words) - 15.59

    assert len(sentences) > 50
    assert grade <= 8


def test_the_poster_says_how_to_embed_the_page(app, client, five):
    """A frame whose address is the link, with the key, and whose title is the survey's."""
    five()
    poster = unescape(page(client, "/v1/surveys/five/poster"))
    (frame,) = re.findall(r"<iframe [^>]*></iframe>", poster)

    assert re.search(r'src="http://localhost/v1/surveys/five#key=[\w-]{43}"', frame)
    assert re.search(r'title="[^"]+"', frame)


def test_a_terminal_shows_the_code_of_the_link():
    """Every line is as wide as the code is high, of which it has two rows; a quiet edge around."""
    lines = as_blocks(f"https://survey.example/v1/surveys/habits#key={'A' * 43}").split("\n")
    shown = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in lines]
    (width,) = {len(line) for line in shown}

    assert len(shown) == (width + 1) // 2
    assert (width - 4) % 4 == 1, "21 modules, and 4 more for each version"
    assert {line[:2] for line in shown[:-1]} == {"\N{FULL BLOCK}" * 2}
