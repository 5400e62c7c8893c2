"""What readers take along is right: lines that give the number again, figures that stand alone."""

import gzip
import re
from contextlib import redirect_stdout
from datetime import timedelta
from io import StringIO
from math import sqrt
from pathlib import Path
from statistics import NormalDist
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest
from answering import TODAY

from tossup.server.results import Results, results
from tossup.server.web import pages
from tossup.server.web.answers import MAKERS, Asked
from tossup.server.web.pages.figures import export

PAGE = "/surveys/clubs"


@pytest.fixture(scope="module")
def found(clubs_cells) -> Results:
    survey, cells = clubs_cells
    return results(SimpleNamespace(survey=survey, state="open"), cells)


def printed(lines: str) -> str:
    out = StringIO()
    with redirect_stdout(out):
        exec(lines, {})
    return out.getvalue()


def test_lines_of_python_print_the_number_and_its_interval(found):
    """Of every question, run as they stand on the page; safe to peek at, too."""
    for result in found.questions:
        told = result.total.told
        out = [float(number) for number in printed(told.reproduced.python).split()]
        finding = told.finding

        expected = [finding.value, finding.interval.low, finding.interval.high]
        assert out == pytest.approx(expected, abs=1e-9), result.question.id


def test_lines_of_r_print_the_number_and_its_interval(found):
    """Worked out by their own formula: R's prop.test without correction is Wilson's interval."""
    seen = []
    for result in found.questions:
        told, lines = result.total.told, result.total.told.reproduced.r
        if not lines:
            continue
        seen.append(result.question.id)
        named, n = map(int, re.findall(r"<- (\d+)(?=;|  #)", lines)[:2])
        q, p = (int(a) / int(b) for a, b in re.findall(r"[qp] <- (\d+)/(\d+)", lines))
        level, among = re.search(r"1 - \(1 - ([\d.]+)\) / (\d+)", lines).groups()
        z = NormalDist().inv_cdf(1 - (1 - float(level)) / int(among) / 2)
        x = named / n
        middle = (x + z * z / (2 * n)) / (1 + z * z / n)
        half = z / (1 + z * z / n) * sqrt(x * (1 - x) / n + (z / (2 * n)) ** 2)
        ends = [(end - q) / (p - q) for end in (middle - half, middle + half)]

        assert (x - q) / (p - q) == pytest.approx(told.finding.value, abs=1e-9)
        assert ends == pytest.approx(
            [told.finding.interval.low, told.finding.interval.high], abs=1e-6
        )
        if (
            "RRuni" in lines
        ):  # forced response: no with probability 1 - p, yes with q, else the truth
            assert "p = c(1 - p, q)" in lines
            assert (x - q) / (1 - (1 - p) - q) == pytest.approx(told.finding.value, abs=1e-9)
        if "rrreg" in lines:  # Warner: the statement is true with probability p
            assert p + q == 1
    assert seen == ["cocaine", "often", "tried", "worry"]


def test_every_figure_stands_alone_with_its_numbers(clubs_reader):
    """No class and no style, every mark coloured; each drawn value is one that stands beside it."""
    page = clubs_reader.get(PAGE).text
    links = set(re.findall(r'href="([^"]+\.svg[^"]*)" download', page))
    assert len(links) == 10
    for link in sorted(links):
        answer = clubs_reader.get(link)
        root = ElementTree.fromstring(answer.data)
        texts = [text.text or "" for text in root.iter("{http://www.w3.org/2000/svg}text")]

        assert answer.content_type.startswith("image/svg+xml"), link
        assert not re.search(r"class=|style|href|script", answer.text), link
        assert any("1,840 randomized reports" in text for text in texts), link
        for mark in root.iter("{http://www.w3.org/2000/svg}circle"):
            assert mark.get("fill"), link
        for mark in root.iter("{http://www.w3.org/2000/svg}path"):
            assert mark.get("stroke"), link
        for inner in root.iter("{http://www.w3.org/2000/svg}svg"):
            assert "%" not in inner.get("x", "") or inner.get("overflow") == "visible", link
        if "estimates" in link:
            values = [text for text in texts if re.fullmatch(r"[−\d.]+%?", text)]
            assert values, link
            assert sum(" to " in text for text in texts) >= 1, link


def test_a_figure_that_was_worked_out_aside_says_when(clubs_reader):
    """By the minute, as its page does, in both languages; any other says the day."""
    app = clubs_reader.application
    record = app.extensions["tossup"].store.survey(PAGE.rpartition("/")[2])
    estimates = (("figure:of", "cocaine.1.estimates"),)
    said = {}
    for language in ("en", "zh-Hans"):
        for as_of in ("2026-03-14T09:30Z", None):
            asked = Asked("figure", record.survey.id, estimates, language, as_of=as_of)
            with app.test_request_context(PAGE):
                said[language, as_of] = MAKERS["figure"](asked, record).decode()

    assert "Tossup on 14 March 2026, 09:30 UTC." in said["en", "2026-03-14T09:30Z"]
    assert "2026年3月14日 09:30（UTC）" in said["zh-Hans", "2026-03-14T09:30Z"]
    assert not any("UTC" in said[language, None] for language in ("en", "zh-Hans"))


def test_colours_of_figures_are_those_of_the_light_theme():
    """One palette, written twice: in the stylesheet for pages, in attributes for files."""
    light = (Path(pages.__file__).parent / "static/tokens.css").read_text().partition("@media")[0]
    tokens = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", light))

    assert {name: tokens[name] for name in export.COLOURS} == export.COLOURS


def test_a_figure_that_is_not_there_is_not_found(clubs_reader):
    """Another question, version or part; and a filter that the survey does not have is refused."""
    for name in ("nothing.1.estimates", "cocaine.2.estimates", "cocaine.1.more"):
        assert clubs_reader.get(f"{PAGE}/figures/{name}.svg").status_code == 404, name
    wrong = clubs_reader.get(f"{PAGE}/figures/cocaine.1.estimates.svg?where.region=nowhere")
    assert wrong.status_code == 422


def test_methods_say_how_to_cite_and_what_was_done(clubs_reader, clubs_cells):
    """Publisher, version and manifest; odds of everything; a paragraph and lines a question."""
    page = clubs_reader.get(f"{PAGE}/methods").text

    assert clubs_cells[0].digest in page
    assert "Example University" in page
    assert page.count("The same number in Python") == 5
    assert page.count("The same number in R") == 4
    assert "243 to 1" in page
    chinese = clubs_reader.get(f"{PAGE}/methods?lang=zh-Hans").text
    assert "引用本调查" in chinese


def weights(client) -> list[int]:
    """Return the bytes of the page with its style sheets and logo, compressed, a language each."""
    static = Path(pages.__file__).parent / "static"
    files = [(static / name).read_bytes() for name in ("tokens.css", "dashboard.css", "coin.svg")]
    pages_ = [client.get(f"{PAGE}?lang={tag}").data for tag in ("en", "zh-Hans")]
    return [sum(len(gzip.compress(data)) for data in (page, *files)) for page in pages_]


def test_a_page_of_five_questions_and_four_groups_weighs_at_most_25_kilobytes(
    clubs_reader, clubs_on
):
    """On a Friday, too, whose last weeks have most marks."""
    friday = TODAY - timedelta(1)
    found = [weights(clubs_reader), weights(clubs_on(friday))]

    assert (5, 4) == (TODAY.weekday(), friday.weekday())
    assert max(map(max, found)) <= 25 * 1024, found


@pytest.mark.prove
def test_the_page_weighs_at_most_25_kilobytes_on_every_weekday(clubs_on):
    """The same 33 days begin on each: they are of five weeks or six."""
    found = [weights(clubs_on(TODAY - timedelta(back))) for back in range(2, 7)]

    assert max(map(max, found)) <= 25 * 1024, found
