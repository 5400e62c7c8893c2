"""Pages as the server sends them: who sees them, what they say, what they never do."""

import csv
import gzip
import json
import re
from dataclasses import replace
from io import StringIO
from pathlib import Path
from random import Random
from urllib.parse import urlencode

import components
import pytest
from jinja2 import Environment
from jinja2.runtime import Macro

from tossup.server.store.tally import Cell
from tossup.server.surveys.lifecycle import close
from tossup.server.web import pages as dashboard

FOLDER = Path(dashboard.__file__).parent
TEMPLATES = sorted((FOLDER / "templates").rglob("*.html"))
FORM = "application/x-www-form-urlencoded"
SAME_ORIGIN = {"Sec-Fetch-Site": "same-origin"}
PAGE = "/surveys/marriage-1978"
STYLES = ("tokens.css", "dashboard.css")


def link(app) -> str:
    return "/sign-in/" + app.extensions["tossup"].auth.create_link()


def post(client, path, **form):
    # As a browser does, a form without fields declares its length of 0.
    body = urlencode(form)
    return client.post(
        path, data=body, headers=SAME_ORIGIN, content_type=FORM, content_length=len(body)
    )


def yes_no_only(survey, **changes):
    return replace(survey, questions=survey.questions[:1], attributes=(), **changes)


def one_cell(survey, no, yes, day):
    return [Cell(survey.digest, "affair", day, (), (no, yes))]


class TestSignIn:
    def test_it_works(self, app, client):
        """A link, a button, the list of surveys."""
        answer = post(client, link(app))

        assert (answer.status_code, answer.location) == (303, "/")
        assert client.get("/").status_code == 200

    def test_looking_at_a_link_does_not_use_it_up(self, app, client):
        """Chat programs that preview links must not sign in, nor burn the link."""
        address = link(app)
        shown = client.get(address)

        assert "Set-Cookie" not in shown.headers
        assert f'action="{address}"' in shown.text
        assert post(client, address).status_code == 303

    def test_a_link_works_once(self, app, client):
        """Then it is said at once, to whom it was sent: by a back button, and to a member, too."""
        address = link(app)
        post(client, address)
        other = app.test_client()
        answers = [post(other, address), other.get(address)]

        assert [answer.status_code for answer in answers] == [403, 403]
        for answer in answers:
            assert "tossup link" in answer.text
            assert "three days" in answer.text
            assert 'href="/sign-in"' in answer.text
            assert "<form" not in answer.text
        assert "This browser is signed in already." in client.get(address).text

    def test_another_site_cannot_press_the_button(self, app, client):
        """A foreign page cannot sign a visitor in as somebody else."""
        answer = client.post(link(app), headers={"Sec-Fetch-Site": "cross-site"}, content_length=0)

        assert answer.status_code == 403

    @pytest.mark.parametrize("path", ["/", PAGE, f"{PAGE}/results.csv", f"{PAGE}/results.json"])
    def test_strangers_are_told_how_to_sign_in(self, client, filled, path):
        """No list, no estimate; the command that prints a link."""
        answer = client.get(path)

        assert answer.status_code == 401
        assert "tossup link" in answer.text
        assert "Marriage and work" not in answer.text

    def test_strangers_cannot_tell_which_surveys_exist(self, client, filled):
        """An unknown survey and a private one look the same."""
        assert client.get("/surveys/unknown").text.replace("unknown", "marriage-1978") == (
            client.get(PAGE).text
        )

    def test_signing_out_ends_the_session(self, signed_in):
        """On the server too: the cookie alone opens nothing afterwards."""
        token = csrf_token(signed_in.get("/").text)
        answer = post(signed_in, "/sign-out", csrf_token=token)

        assert answer.status_code == 200
        assert 'href="/sign-in"' in answer.text  # who has a password needs no new link
        assert signed_in.get("/").status_code == 401

    def test_signing_out_needs_the_form(self, signed_in):
        """Without its token nobody is signed out."""
        assert post(signed_in, "/sign-out").status_code == 403
        assert signed_in.get("/").status_code == 200


def csrf_token(page: str) -> str:
    return re.search(r'name="csrf_token" value="([^"]+)"', page)[1]


class TestSurveys:
    def test_an_empty_list_says_what_to_do(self, signed_in):
        """The exact commands."""
        page = signed_in.get("/").text

        assert "tossup survey create FILE.toml" in page
        assert "tossup demo --serve" in page

    def test_it_shows_how_each_survey_stands(self, reader):
        """Title, state, reports, odds in words."""
        page = reader.get("/").text
        reports = re.search(r"([\d,]+) reports · 4 questions", page)[1]

        assert "Marriage and work" in page
        assert "81 to 1" in page
        assert int(reports.replace(",", "")) > 5000

    def test_the_minimum_is_not_sold_as_protection(self, reader):
        """Results can be subtracted from each other; the page says so where it explains itself."""
        page = reader.get(PAGE).text

        assert "This hides nothing" in page
        assert "What protects is the coins." in page

    def test_a_quiet_survey_is_marked(self, app, signed_in, bilingual, put, publisher_key, day):
        """Open, and nothing for nine days."""
        survey = yes_no_only(bilingual)
        put(app, survey, one_cell(survey, 3, 1, day(9)), publisher_key)

        assert "(9 days ago)" in signed_in.get("/").text
        assert "the last report came 9 days ago" in signed_in.get(PAGE).text

    @pytest.mark.parametrize(
        ("changes", "words"),
        [
            ({"opens": 5}, "Not open yet"),
            ({"closes": -5}, "No further report is counted"),
            ({"closes": -5, "late_days": -7}, "reports that come late are counted until"),
        ],
    )
    def test_a_survey_that_is_not_open_says_so(
        self, app, signed_in, bilingual, put, publisher_key, day, changes, words
    ):
        """Before its first day and after its last."""
        late = -changes.pop("late_days", 0)
        dates = {name: day(-days) for name, days in changes.items()} | {"late_days": late}
        put(app, replace(bilingual, **dates), [], publisher_key)

        assert words in signed_in.get(PAGE).text

    def test_a_survey_that_asks_nobody_any_more_says_nothing_of_more_people(
        self, app, signed_in, bilingual, daily_cells, put, publisher_key, day
    ):
        """Neither while late reports are counted nor once it is closed; how sure it is, it says."""
        ended = {"id": "ended", "closes": day(1), "late_days": 30}
        for changes in ({}, ended, {"id": "over", "closes": day(2), "late_days": 0}):
            survey = replace(bilingual, **changes)
            cells = [replace(cell, manifest=survey.digest) for cell in daily_cells]
            put(app, survey, cells, publisher_key)
        said = ("Sure to about", "more people.", "people in each.")
        pages = [signed_in.get(f"/surveys/{of}").text for of in (bilingual.id, "ended", "over")]
        found = [[page.count(each) for each in said] for page in pages]
        close(app.extensions["tossup"].store, bilingual.id)
        found.append([signed_in.get(PAGE).text.count(each) for each in said])

        assert [4, 4] == found[0][:2]
        assert found[0][2] > 0
        assert [[4, 0, 0]] * 3 == found[1:]


class TestResults:
    def test_it_says_the_estimate_in_words(
        self, app, signed_in, bilingual, put, publisher_key, day
    ):
        """The verdict, the figure with its range and n; the raw numbers in the table."""
        survey = yes_no_only(bilingual)
        put(app, survey, one_cell(survey, 848, 441, day(0)), publisher_key)
        page = signed_in.get(PAGE).text

        assert "About one in five." in page
        assert re.search(r"<strong>18<.*>13–24<.*From 1,289 reports", page, re.DOTALL)
        assert "18.4%" in page
        assert "13.3% to 23.7%" in page

    def test_a_negative_estimate_is_an_upper_end_in_words_and_raw_in_the_table(
        self, app, signed_in, bilingual, put, publisher_key, day
    ):
        """57 of 240."""
        survey = yes_no_only(bilingual)
        put(app, survey, one_cell(survey, 183, 57, day(0)), publisher_key)
        page = signed_in.get(PAGE).text

        assert "Rare, if anyone: probably under 10 in 100." in page
        assert re.search(r"<strong>&lt;10<.*>0–10<.*From 240 reports", page, re.DOTALL)
        assert "−2.5%" in page

    def test_too_few_reports_give_progress_and_no_estimate(
        self, app, signed_in, bilingual, put, publisher_key, day
    ):
        """99 of 100."""
        survey = yes_no_only(bilingual)
        put(app, survey, one_cell(survey, 60, 39, day(0)), publisher_key)
        page = signed_in.get(PAGE).text

        assert "99 of the 100 reports" in page
        assert 'aria-label="19 of 20 coins are filled"' in page
        assert "At 99 a day, as of late, within a day." in page
        assert "<table" not in page

    @pytest.mark.parametrize("ahead", [1, 2, 9])
    def test_a_clock_that_was_set_back_keeps_no_page_away(
        self, app, signed_in, bilingual, put, publisher_key, day, ahead
    ):
        """The pace is that up to the last day with reports, which is then yet to come."""
        put(app, bilingual, [Cell(bilingual.digest, "affair", day(-ahead), (0, 0), (49, 50))],
            publisher_key)  # fmt: skip
        page = signed_in.get(PAGE).text

        assert "At 99 a day, as of late, within a day." in page

    def test_impossible_reports_raise_an_alarm_and_no_headline(
        self, app, signed_in, bilingual, put, publisher_key, day
    ):
        """A tenth of the reports are yes where coins alone give a quarter."""
        survey = yes_no_only(bilingual)
        put(app, survey, one_cell(survey, 900, 100, day(0)), publisher_key)
        page = signed_in.get(PAGE).text

        assert "hard to explain by chance" in page
        assert "Probably under" not in page

    def test_a_day_with_far_more_reports_than_before_raises_an_alarm(
        self, app, signed_in, bilingual, put, publisher_key, day
    ):
        """After three days with 200 each, 2,100 come on the fourth."""
        survey = yes_no_only(bilingual)
        cells = [part for back in (3, 2, 1) for part in one_cell(survey, 150, 50, day(back))]
        put(app, survey, [*cells, *one_cell(survey, 1575, 525, day(0))], publisher_key)
        page, chinese = (signed_in.get(f"{PAGE}?lang={tag}").text for tag in ("en", "zh-Hans"))

        assert "2,100 reports came on" in page
        assert "超过此前任何一天的 10 倍" in chinese

    def test_filters_reach_estimates_and_downloads(self, reader):
        """The form keeps what was chosen, and the links carry it."""
        page = reader.get(f"{PAGE}?where.region=south&from=").text
        document = reader.get(f"{PAGE}/results.json?where.region=south").get_json()

        assert '<option value="south" selected>' in page
        assert f'href="{PAGE}/results.csv?where.region=south"' in page
        assert document["filters"]["where"] == {"region": "south"}

    @pytest.mark.parametrize("query", ["region=west", "colour=red", "from=soon", "confidence=95"])
    def test_a_filter_that_cannot_be_followed_shows_no_estimate(self, reader, query):
        """But a way back to all reports."""
        answer = reader.get(f"{PAGE}?{query}")

        assert answer.status_code == 422
        assert "<table" not in answer.text
        assert f'href="{PAGE}"' in answer.text

    @pytest.mark.parametrize(
        ("confidence", "heading"),
        [("0.95", "95% interval"), ("0.999", "99.9% interval"), ("0.9999", "99.99% interval")],
    )
    def test_a_confidence_is_shown_with_the_digits_it_needs(self, reader, confidence, heading):
        """99.9 is not 100: no interval is sure."""
        page = reader.get(f"{PAGE}?confidence={confidence}").text

        assert heading in page
        assert "100% interval" not in page

    def test_a_tie_names_no_answer(self, app, signed_in, bilingual, put, publisher_key, day):
        """Equal estimates: the first in order is not called the largest."""
        counts = {"rating": (40, 40, 10, 5, 5)}
        cells = [Cell(bilingual.digest, q, day(0), (0, 0), c) for q, c in counts.items()]
        put(app, bilingual, cells, publisher_key)
        page = signed_in.get(PAGE).text

        assert "Too close to tell: two answers may lead." in page

    def test_a_wrong_confidence_is_named(self, reader):
        """Among what may be wrong with a filter."""
        assert "confidence from 0.5 to 0.9999" in reader.get(f"{PAGE}?confidence=95").text

    def test_published_results_are_open_to_all(
        self, app, client, bilingual, put, publisher_key, day
    ):
        """Without a session, and without the button that ends one."""
        survey = yes_no_only(bilingual, results="public")
        put(app, survey, one_cell(survey, 848, 441, day(0)), publisher_key)
        answer = client.get(PAGE)

        assert answer.status_code == 200
        assert "Sign out" not in answer.text

    def test_csv_speaks_the_language_of_the_page(self, reader):
        """Labels in Chinese for a Chinese page."""
        answer = reader.get(f"{PAGE}/results.csv?lang=zh-Hans")
        [first, *_] = csv.DictReader(StringIO(answer.text))

        assert answer.headers["Content-Disposition"] == 'attachment; filename="marriage-1978.csv"'
        assert first["question_text"] == "您有过婚外情吗？"


def test_a_filter_that_is_given_twice_is_refused(reader):
    """The first of two groups is neither both nor the one that was meant."""
    assert reader.get(f"{PAGE}?where.region=north&where.region=south").status_code == 422


class TestNeverWithoutIntervalAndN:
    @pytest.mark.parametrize("seed", range(12))
    def test_every_estimate_stands_beside_them(
        self, app, signed_in, bilingual, put, publisher_key, day, seed
    ):
        """Rows, headlines and trend tables of random surveys, some below the minimum."""
        random, survey = Random(seed), replace(bilingual, id=f"random-{seed}")
        largest = random.choice([2, 20, 200])
        cells = [
            Cell(
                survey.digest,
                question.id,
                day(random.randint(0, 40)),
                (random.randint(0, 1), random.randint(0, 1)),
                tuple(random.randint(0, largest) for _ in range(question.mechanism.reports)),
            )
            for question in survey.questions
            for _ in range(random.randint(0, 12))
        ]
        put(app, survey, cells, publisher_key)
        page = signed_in.get(f"/surveys/{survey.id}").text

        for row in re.findall(r'<tr role="row">.*?</tr>', page, re.DOTALL):
            if "figure value" in row:
                assert re.search(r"figure interval.*\d%? to .*figure n.*>[\d,+ ]+<", row, re.DOTALL)
        for row in re.findall(r"<tr><th scope=.row.>.*?</tr>", page):
            told = r"% to .*%</td><td>[\d,]+</td>|too few to tell</td><td>[\d,]+</td>"
            assert re.search(told, row)
        for figure in re.findall(r'<p class="fig">.*?<p class="next">.*?</p>', page, re.DOTALL):
            assert re.search(r'"rng">[\d.]+–[\d.]+<.*From [\d,]+ reports', figure, re.DOTALL)
        for tile in re.findall(r'<span class="n">.*?</a>', page, re.DOTALL):
            assert re.search(r'"r">[\d.]+–[\d.]+<.*[\d,]+ reports?\)', tile, re.DOTALL)


class TestErrors:
    @pytest.mark.parametrize("path", ["/nowhere", "/surveys/unknown"])
    def test_an_unknown_address_is_a_page(self, signed_in, path):
        """Which leads back to the list."""
        answer = signed_in.get(path)

        assert answer.status_code == 404
        assert answer.mimetype == "text/html"
        assert 'href="/"' in answer.text

    def test_an_unknown_address_of_the_api_stays_a_problem(self, client):
        """Programs get what programs read."""
        answer = client.get("/v1/nowhere")

        assert (answer.status_code, answer.mimetype) == (404, "application/problem+json")

    def test_a_mistake_of_ours_is_a_page_that_says_nothing_of_the_request(
        self, app, signed_in, filled, monkeypatch
    ):
        """And it is a 500, not a half-rendered page."""
        answers = app.extensions["tossup"].answers
        monkeypatch.setattr(answers, "get", lambda *_: 1 / 0)
        answer = signed_in.get(f"{PAGE}?where.region=north")

        assert answer.status_code == 500
        assert "ZeroDivisionError" not in answer.text


class TestLanguages:
    @pytest.mark.parametrize(
        ("accepted", "language"),
        [("zh-CN,zh;q=0.9,en;q=0.5", "zh-Hans"), ("de,en;q=0.5", "en"), ("fr", "en"), ("", "en")],
    )
    def test_the_browser_chooses(self, client, accepted, language):
        """By family, with English for everyone else."""
        page = client.get("/", headers={"Accept-Language": accepted}).text

        assert f'<html lang="{language}">' in page

    def test_a_chosen_language_stays_in_every_link(self, reader):
        """So that no cookie is needed to remember it."""
        page = reader.get(f"{PAGE}?lang=zh-Hans").text
        links = re.findall(r'(?:href|action)="(/(?!assets)[^"]*)"', page)
        others = [address for address in links if "lang=en" not in address]

        assert others
        assert all("lang=zh-Hans" in address for address in others)
        assert '<input type="hidden" name="lang" value="zh-Hans">' in page

    def test_chinese_sentences_stand_without_a_space_between(self, reader):
        """Its full stops, colons and semicolons are as wide as with one."""
        page = reader.get(f"{PAGE}?lang=zh-Hans").text

        assert "份报告。" in page
        assert (
            re.findall(r"[。：；] [\u4e00-\u9fff].{20}", re.sub(r"<script.*?</script>", "", page))
            == []
        )

    def test_an_unknown_language_is_none(self, client):
        """The browser's choice counts then."""
        assert '<html lang="en">' in client.get("/?lang=xx").text

    def test_a_text_in_another_language_is_labelled(
        self, app, signed_in, survey, put, publisher_key
    ):
        """An English-only survey on a Chinese page."""
        put(app, survey, [], publisher_key)
        page = signed_in.get("/surveys/habits-7?lang=zh-Hans").text

        assert '<html lang="zh-Hans">' in page
        assert '<bdi class="survey-text" lang="en">Have you ever tried it?</bdi>' in page


class TestSafety:
    def test_hostile_texts_are_text(self, app, signed_in, survey, put, publisher_key):
        """Markup in a title or a label shows as it was typed."""
        evil = {"en": '<script>alert(1)</script>"&'}
        put(app, replace(survey, title=evil, purpose=evil), [], publisher_key)
        page = signed_in.get("/surveys/habits-7").text

        assert [
            f'<script type="module" src="/assets/{name}.js' for name in ("figures", "live")
        ] == [found.partition("?")[0] for found in re.findall(r"<script[^>]*", page)]
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page

    def test_templates_hold_nothing_inline_and_nothing_foreign(self):
        """No script, style or handler for the policy to refuse; no other host."""
        refused = re.compile(
            r"<script(?! type=\"module\" src=\"{{ (?:asset|url_for))|<style|\bstyle=|\son\w+="
            r"|https?://\w|\|safe"
        )

        assert len(TEMPLATES) > 50
        assert [path.name for path in TEMPLATES if refused.search(path.read_text())] == []

    def test_the_stylesheet_loads_nothing(self):
        """No import, no font, no picture from anywhere."""
        assert not re.search(r"@import|url\(|https?://", stylesheet())

    def test_pages_are_kept_by_no_cache_and_static_files_by_all(self, signed_in):
        """A static file's address changes with its content."""
        page = signed_in.get("/")
        address = re.search(r'href="(/assets/dashboard\.css\?v=\w+)"', page.text)[1]

        with signed_in.get(address) as static:
            assert "immutable" in static.headers["Cache-Control"]
        # What modules load from beside them has no version in its address, and may change.
        modules = "/assets/sdk/respondent/page/page.js"
        for unversioned in ("/assets/sdk/index.js", "/assets/dashboard.css?v=0", modules):
            with signed_in.get(unversioned) as static:
                assert (static.status_code, static.headers["Cache-Control"]) == (200, "no-cache")
        with signed_in.get(modules.replace("respondent", "respondent@0")) as static:
            assert static.status_code == 404, "no page gets modules of another version"
        assert page.headers["Cache-Control"] == "no-store"

    def test_one_policy_is_sent_with_every_page(self, signed_in):
        """One, and nothing unsafe in it."""
        [policy] = signed_in.get("/").headers.getlist("Content-Security-Policy")

        assert "default-src 'none'" in policy
        assert "unsafe" not in policy


def test_one_mark_stands_on_every_page(reader):
    """The half-filled coin of one file: those who ask and those who answer see the same."""
    asked = reader.get("/v1/surveys/marriage-1978", headers={"Accept": "text/html"})
    pages = [asked.text, reader.get("/v1/surveys/marriage-1978/privacy").text]
    pages += [reader.get(path).text for path in ("/", PAGE, "/sign-in", "/nowhere")]
    marks = [re.findall(r'class="brand"[^>]*>\s*<img src="([^"]+)"', page) for page in pages]
    icons = [re.findall(r'rel="icon"[^>]*href="([^"]+)"', page) for page in pages]

    assert {tuple(found) for found in marks + icons} == {tuple(marks[0])}
    assert re.fullmatch(r"/assets/coin\.svg\?v=\w+", *marks[0])
    assert "M16 5.5a10.5 10.5 0 0 0 0 21z" in (FOLDER / "static/coin.svg").read_text()
    assert not [page for page in pages if "a10.5 10.5" in page]


def test_a_long_question_without_a_short_title_is_cut_at_a_word(
    app, signed_in, bilingual, daily_cells, put, publisher_key
):
    """In a row of results, in either language."""
    long = {"en": "Have you ever taken something that was not yours?"}
    long["zh-Hans"] = "在过去的七天里，" * 6
    question = replace(bilingual.questions[0], text=long)
    survey = replace(bilingual, questions=(question, *bilingual.questions[1:]))
    cells = [replace(cell, manifest=survey.digest) for cell in daily_cells]
    put(app, survey, cells, publisher_key)

    assert ">Have you ever taken something that was…</bdi>" in signed_in.get(PAGE).text
    assert (
        ">" + ("在过去的七天里，" * 5)[:-1] + "…</bdi>"
        in signed_in.get(f"{PAGE}?lang=zh-Hans").text
    )


def stylesheet() -> str:
    return "".join((FOLDER / "static" / name).read_text() for name in STYLES)


def test_a_results_page_weighs_at_most_25_kilobytes(reader):
    """Four questions, two of them choices, 30 days, two attributes; with style and logo."""
    page = reader.get(PAGE).data
    files = [(FOLDER / "static" / name).read_bytes() for name in (*STYLES, "coin.svg")]

    assert sum(len(gzip.compress(data)) for data in (page, *files)) <= 25 * 1024


@pytest.mark.parametrize("language", ["en", "zh-Hans"])
def test_a_results_page_without_groups_weighs_at_most_20_kilobytes(
    app, signed_in, bilingual, daily_cells, put, publisher_key, language
):
    """Four questions and 30 days, with style, logo and the scripts that it names."""
    survey = replace(bilingual, attributes=())
    cells = [
        replace(cell, manifest=survey.digest, stratum=())
        for cell in daily_cells
        if cell.stratum[0] == 0
    ]
    put(app, survey, cells, publisher_key)
    page = signed_in.get(f"{PAGE}?lang={language}")
    scripts = re.findall(r'src="/assets/([\w/]+\.js)', page.text)
    files = [(FOLDER / "static" / name).read_bytes() for name in (*STYLES, "coin.svg", *scripts)]

    assert len(scripts) == 2
    assert sum(len(gzip.compress(data)) for data in (page.data, *files)) <= 20 * 1024


def test_json_of_a_results_page_is_that_of_the_results(reader):
    """The whole codebook with it."""
    document = json.loads(reader.get(f"{PAGE}/results.json").data)

    assert document["survey"]["title"]["zh-Hans"] == "婚姻与工作"
    assert len(document["questions"]) == 4


TEXT_ON = dict.fromkeys(("page", "paper", "sunk", "good-bg"), ("ink", "muted", "accent", "warn"))
TEXT_ON |= {"warn-bg": ("ink", "warn"), "accent": ("on-accent",)}
MARKS_ON = {"page": ("data", "mid", "ring", "edge", "coin-edge"), "out": ("data",)}


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_colours_contrast_enough(theme):
    """Text at least 4.5 to 1, marks at least 3 to 1, text inside charts too (WCAG 2.2)."""
    colours = themes()[theme]
    wanted = [(4.5, ground, ink) for ground, inks in TEXT_ON.items() for ink in inks]
    wanted += [(3.0, ground, mark) for ground, marks in MARKS_ON.items() for mark in marks]

    for least, ground, ink in wanted:
        assert contrast(colours[ground], colours[ink]) >= least, (ground, ink)


def themes() -> list[dict[str, str]]:
    blocks = re.findall(r":root \{(.*?)\}", stylesheet(), re.DOTALL)[:2]
    light, dark = (dict(re.findall(r"--([\w-]+): (#\w{6});", block)) for block in blocks)
    return [light, light | dark]


def contrast(first: str, second: str) -> float:
    darker, lighter = sorted((luminance(first), luminance(second)))
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: str) -> float:
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


#: Parts that are not on the page of components, and why.
NOT_SHOWN = {
    "dashboard/_methods.html": "a page of its own: text to cite, and nothing drawn",
}


@pytest.fixture
def shown(app, enter):
    """A signed-in browser at an application with the page of components."""
    components.register(app)
    return enter(app)


def test_every_part_is_among_the_components(shown, monkeypatch):
    """Each macro leaves something on the page, and each partial is used; or it is said why not."""
    folder, used = FOLDER / "templates", set()
    invoke, load = Macro._invoke, Environment._load_template

    def invoked(macro, arguments, autoescape):
        made = invoke(macro, arguments, autoescape)
        file = Path(macro._func.__code__.co_filename)
        if made.strip() and file.is_relative_to(folder):
            used.add(f"{file.relative_to(folder)}: {macro.name}")
        return made

    def loaded(environment, name, values):
        used.add(name)
        return load(environment, name, values)

    monkeypatch.setattr(Macro, "_invoke", invoked)
    monkeypatch.setattr(Environment, "_load_template", loaded)
    shown.get("/_components")

    parts = set()
    for room in ("dashboard", "authoring", "people"):
        for file in (folder / room).rglob("*.html"):
            name = str(file.relative_to(folder))
            macros = re.findall(
                r"{% macro (\w+)\b(?!\([^)]*\) %}{% endmacro)", file.read_text(encoding="utf-8")
            )
            parts |= {f"{name}: {macro}" for macro in macros}
            parts |= {name} if file.name.startswith("_") else set()
    assert sorted(parts - used) == sorted(NOT_SHOWN)


def test_chinese_pages_have_wide_marks(shown):
    """Between Chinese words no colon is narrow, and no space follows a full stop."""
    page = re.sub(r"<[^>]*>", "", shown.get("/_components?lang=zh-Hans").text)

    assert re.findall(r"[\u4e00-\u9fff]: ?|[。；？] +[\u4e00-\u9fff]", page) == []
