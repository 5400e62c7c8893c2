"""Two questions together: a page that opens filled, whose sentence and pictures are its numbers."""

import re
from dataclasses import replace
from html import unescape
from itertools import permutations
from xml.etree import ElementTree

import numpy as np
import pytest
from scipy.stats import chi2

from tossup.server.estimation import independence
from tossup.server.results.joint.tables import JointResult
from tossup.server.results.joint.verdict import verdict
from tossup.server.web.pages import joint_table
from tossup.server.web.pages.figures import coin_grid
from tossup.shared.mechanisms import KaryRandomizedResponse, TwoCoin
from tossup.shared.survey import Option, Question

THREE = tuple(Option(f"o{place}", {"en": name}) for place, name in enumerate(("A", "B", "C")))
YES = Question("yes", "y", {"en": "Yes or no?"}, (), TwoCoin())
WHICH = Question("which", "w", {"en": "Which?"}, THREE, KaryRandomizedResponse(3))


def joint(shares, n, random, pairs=1) -> JointResult:
    """Return a table of reports of people whose answers have these joint shares."""
    questions = tuple(YES if size == 2 else WHICH for size in np.shape(shares))
    channels = [
        np.array(q.mechanism.weights, float) / sum(q.mechanism.weights[0]) for q in questions
    ]
    rates = channels[0].T @ np.asarray(shares) @ channels[1]
    counts = random.multinomial(n, rates.ravel()).reshape(rates.shape)
    return JointResult(questions, counts, 100, 0.95, pairs=pairs)


def linked(strength: float) -> np.ndarray:
    """Return shares of a yes/no and three options: the more yes, the less of the first option."""
    without, with_it = np.array([0.5, 0.3, 0.2]), np.array([0.5, 0.3, 0.2])
    with_it = with_it + strength * np.array([-0.5, 0.1, 0.4])
    return np.stack([0.6 * without, 0.4 * with_it])


def test_the_sentence_says_no_more_than_the_numbers():
    """Of swept sizes and strengths: said to go together only if sure, and the right way round."""
    random, said = np.random.default_rng(13), set()
    for n in (150, 1000, 4000, 30_000):
        for strength in (0, 0.2, 0.5, 0.9):
            for pairs in (1, 10):
                found = joint(linked(strength), n, random, pairs)
                words, level = joint_table.in_words(found), 0.05 / pairs
                p_value = independence(found.table).p_value
                if "not seen" in words:
                    assert p_value > level, (n, strength)
                    said.add("not seen")
                    continue
                assert p_value <= level, (n, strength)
                if named := re.fullmatch(r"“(\w+)” is (\w+) common .*“(\w+)”\.", words):
                    answer, way, given = named.groups()
                    row, column = ("No", "Yes").index(given), "ABC".index(answer)
                    among = [found.table.conditional(column, each).value for each in (row, 1 - row)]
                    assert (among[0] > among[1]) == (way == "more"), words
                    said.add(way)
    assert "not seen" in said
    assert said & {"more", "less"}


def test_no_share_is_shown_that_tells_nothing():
    """Among few who answer one way a share may be anything; its interval ends near what can be."""
    random, shown, hidden = np.random.default_rng(13), 0, 0
    for n in (150, 1000, 4000):
        for rare in (0.005, 0.02, 0.1, 0.4):
            shares = np.outer([1 - rare, rare], [0.5, 0.3, 0.2])
            for _ in range(20):
                view = joint_table.joint_view(joint(shares, n, random))
                for among in (f.among for block in view.blocks for f in block.figures):
                    hidden += among is None
                    if among:
                        shown += 1
                        assert -1 < among.interval.low < among.interval.high < 2, (n, rare)
    assert shown > 500
    assert hidden > 100


def test_answers_without_a_link_are_rarely_said_to_go_together():
    """Any of three pairs of questions: on 5 % of 20,000 pages at most.

    A page that kept the level exactly would fail this less often than once in a million.
    """
    pages, n, most = 20_000, 1000, 1147
    random = np.random.default_rng(13)
    rates = [np.array([0.6, 0.4]), np.array([0.4, 0.35, 0.25]), np.array([0.7, 0.3])]
    whole = np.einsum("i,j,k->ijk", *rates)
    counts = random.multinomial(n, whole.ravel(), pages).reshape(pages, *whole.shape)
    tables = [counts.sum(axis=3), counts.sum(axis=1), counts.sum(axis=2).transpose(0, 2, 1)]
    chances = np.stack([_independent(table) for table in tables], axis=1)
    wrong = (chances <= 0.05 / 3).any(axis=1)
    for page in (*np.flatnonzero(wrong)[:20], *np.flatnonzero(~wrong)[:20]):
        for table, chance in zip(tables, chances[page], strict=True):
            questions = tuple(YES if size == 2 else WHICH for size in table[page].shape)
            found = JointResult(questions, table[page], 100, 0.95, pairs=3)
            assert independence(found.table).p_value == pytest.approx(chance)
            assert verdict(found).go_together == (chance <= 0.05 / 3)

    assert 0 < wrong.sum() <= most


def test_the_answer_that_is_named_is_rarely_one_that_does_not_differ():
    """Of weak links, in which one option is as common among both: 700 tables, 5 % at most.

    Nor is it said the wrong way round. It would fail once in a million at exactly 5 %.
    """
    random, wrong, named = np.random.default_rng(14), 0, 0
    shares = np.stack([0.5 * np.array([0.5, 0.3, 0.2]), 0.5 * np.array([0.3, 0.3, 0.4])])
    for _ in range(700):
        told = verdict(joint(shares, 1500, random)).named
        if told is not None:
            named += 1
            truth = (
                shares[told.given, told.answer]
                - shares[told.given].sum() * shares[:, told.answer].sum()
            )
            wrong += abs(truth) < 1e-9 or (truth > 0) != (told.value > 0)

    assert named > 150
    assert wrong <= 65


def _independent(tables: np.ndarray) -> np.ndarray:
    rows, columns = tables.sum(axis=2, keepdims=True), tables.sum(axis=1, keepdims=True)
    expected = rows * columns / rows.sum(axis=1, keepdims=True)
    statistic = ((tables - expected) ** 2 / expected).sum(axis=(1, 2))
    return chi2.sf(statistic, (tables.shape[1] - 1) * (tables.shape[2] - 1))


def test_every_coin_is_a_number_of_the_tables():
    """Full is where the interval begins, faint where it ends, the line is the estimate: by area."""
    found = joint(linked(0.5), 3000, np.random.default_rng(1))
    view = joint_table.joint_view(found)
    circles = re.findall(
        r'<circle class="g-(\w+)" cx="[\d.]+%" cy="[\d.]+" r="([\d.]+)"', view.grid
    )
    areas = [(look, (float(radius) / 20) ** 2) for look, radius in circles if look != "rim"]
    cells = [figure.among for block in view.blocks for figure in block.figures]
    said = [
        (look, min(max(share, 0), 1))
        for among in cells
        for look, share in (
            ("high", among.interval.high),
            ("low", among.interval.low),
            ("value", among.value),
        )
    ]

    assert [look for look, _ in areas] == [look for look, _ in said]
    assert [area for _, area in areas] == pytest.approx([share for _, share in said], abs=1e-3)
    assert "<title>" in view.grid
    assert view.heads == ("A", "B", "C")


def test_labels_of_a_grid_fit_above_their_columns():
    """Half as many Chinese characters as Latin ones."""
    assert [
        coin_grid.is_narrow(label) for label in ("Everyone", "Everybody", "没有时间", "没有时间了")
    ] == [
        True,
        False,
        True,
        False,
    ]


def test_a_page_without_a_choice_opens_with_the_first_two_questions(
    app, put, receive, bilingual, publisher_key, enter
):
    """It says what the page of these two says, in both languages; too few reports are counted."""
    together = replace(bilingual, id="together", linkage="joint", attributes=())
    put(app, together, [], publisher_key)
    reader = enter(app)
    few = reader.get("/surveys/together/joint").text
    nothing = reader.get("/surveys/together/joint.svg").status_code
    receive(app, together, 900)
    for tag, words in (("en", "Among those who answer"), ("zh-Hans", "给出此答案的人中")):
        opened = reader.get(f"/surveys/together/joint?lang={tag}").text
        chosen = reader.get(f"/surveys/together/joint?rows=affair&columns=rating&lang={tag}").text
        assert words in opened
        assert '<svg class="grid-of-coins" role="img"' in opened
        assert opened.partition("<section")[2] == chosen.partition("<section")[2]

    assert "0 of the" in few
    assert ("joint.svg" in few, nothing) == (False, 404)


def test_the_grid_is_taken_along_with_the_numbers_of_its_page(
    app, put, receive, bilingual, publisher_key, enter
):
    """Every coin, and of every coin what its row of the page says; no class, and all coloured."""
    together = replace(bilingual, id="along", linkage="joint", attributes=())
    put(app, together, [], publisher_key)
    receive(app, together, 900)
    reader, seen, guesses = enter(app), set(), 0
    for rows, columns in permutations(("affair", "rating", "health"), 2):
        page = reader.get(f"/surveys/along/joint?rows={rows}&columns={columns}").text
        link, name = re.search(r'href="([^"]+)" download="(.+?)\.svg" data-png="\2', page).groups()
        answer = reader.get(unescape(link))
        root = ElementTree.fromstring(answer.data)
        texts = [text.text or "" for text in root.iter("{http://www.w3.org/2000/svg}text")]
        circles = re.findall(r"<circle [^>]*>", answer.text)
        tables = page.partition('class="figures-only"')[0]
        told = re.findall(
            r'<td role="cell" class="figure (?:value|interval|n)"[^>]*>(.+?)<', tables
        )

        assert answer.content_type.startswith("image/svg+xml"), link
        assert name == f"along-{rows}-{columns}"
        assert not re.search(r"class=|style|href|script", answer.text), link
        coins_of_page = tables.count('<circle class="g-')
        assert len(circles) >= coins_of_page > 0, link
        guesses += len(circles) - coins_of_page
        assert all("fill=" in circle for circle in circles), link
        assert told
        assert [number for number in texts if number in told] == told, link
        assert any("900 randomized reports" in text for text in texts), link
        seen.add("1" in texts)

    assert seen == {True, False}  # numbered columns and named ones
    assert guesses > 0  # where all are too few to tell, there are none
    assert reader.get("/surveys/along/joint.svg").status_code == 200
    assert reader.get("/surveys/along/joint.svg?rows=affair&columns=no").status_code == 422
    assert reader.get("/surveys/along/joint.svg?where.region=no").status_code == 422
