"""A real application whose store holds surveys with years of made-up reports."""

import secrets
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import date, timedelta
from math import prod
from random import Random

import clubs
import pytest
from answering import TODAY, Site, on_that_day, serving
from browsing import axe_source, chromium, close_before
from compiling import compiled_once  # noqa: F401  (a fixture)
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Browser

from tossup.server.config import Config
from tossup.server.store.records import Count
from tossup.server.store.tally import Cell
from tossup.server.web.app import create_app
from tossup.shared.mechanisms import KaryRandomizedResponse, TwoCoin
from tossup.shared.signing import public_bytes, sign_manifest
from tossup.shared.survey import Attribute, Option, Question, Survey
from tossup.shared.wire import Batch, encode_batch


def words(en: str, zh: str) -> dict[str, str]:
    return {"en": en, "zh-Hans": zh}


@pytest.fixture(scope="session")
def bilingual(survey: Survey) -> Survey:
    """Four questions and two attributes, in English and Chinese."""
    ratings = [("very poor", "很差"), ("poor", "差"), ("fair", "一般"), ("good", "好")]
    ratings.append(("very good", "很好"))
    options = tuple(Option(f"r{i}", words(*label)) for i, label in enumerate(ratings, 1))
    kary = KaryRandomizedResponse(5)
    questions = (
        Question(
            "affair", "a", words("Have you ever had an affair?", "您有过婚外情吗？"), (), TwoCoin()
        ),
        Question("rating", "b", words("How is your marriage?", "您的婚姻如何？"), options, kary),
        Question(
            "theft",
            "c",
            words("Have you taken things from work?", "您拿过公司的东西吗？"),
            (),
            TwoCoin(),
        ),
        Question("health", "d", words("How is your health?", "您的健康如何？"), options, kary),
    )
    north, south = words("North", "北方"), words("South", "南方")
    young, old = words("under 40", "40岁以下"), words("40 and over", "40岁及以上")
    attributes = (
        Attribute(
            "region", words("Region", "地区"), (Option("north", north), Option("south", south))
        ),
        Attribute("age", words("Age", "年龄"), (Option("young", young), Option("old", old))),
    )
    return replace(
        survey,
        id="marriage-1978",
        title=words("Marriage and work", "婚姻与工作"),
        purpose=words("To learn how common some private things are.", "了解一些私事有多普遍。"),
        languages=("en", "zh-Hans"),
        questions=questions,
        attributes=attributes,
        minimum_batch=100,
    )


#: True shares; theft is rare, so that its estimate wanders about 0.
SHARES = {
    "affair": (0.68, 0.32),
    "rating": (0.04, 0.09, 0.17, 0.33, 0.37),
    "theft": (0.98, 0.02),
    "health": (0.06, 0.12, 0.22, 0.35, 0.25),
}


@pytest.fixture(scope="session")
def daily_cells(bilingual: Survey) -> list[Cell]:
    """Thirty days of reports: 40 to 60 a day and question, drawn as devices would send them."""
    random = Random(1978)
    return [
        Cell(
            bilingual.digest, question.id, day(back), (region, back % 2), reports(question, random)
        )
        for back in range(30)
        for question in bilingual.questions
        for region in (0, 1)
    ]


def reports(question: Question, random: Random) -> tuple[int, ...]:
    """Return the tally of some people's reports."""
    weights, values = question.mechanism.weights, range(question.mechanism.reports)
    truths = random.choices(range(len(weights)), SHARES[question.id], k=random.randint(20, 30))
    sent = [random.choices(values, weights[truth])[0] for truth in truths]
    return tuple(sent.count(value) for value in values)


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make pages here that only a busy machine finds costly, and wait for those made aside."""
    monkeypatch.setattr("tossup.server.web.answers._DEAR_SECONDS", 300.0)
    monkeypatch.setattr("tossup.server.web.answers.PATIENCE_SECONDS", 300.0)
    monkeypatch.setattr("tossup.server.web.answers._MOST_ESTIMATES", 10**9)


@pytest.fixture
def app(tmp_path) -> Iterable[Flask]:
    """The application as it is served, on an empty store."""
    app = on_that_day(Config(data=tmp_path))
    yield app
    app.extensions["tossup"].close()


@pytest.fixture(scope="session")
def app_once(tmp_path_factory) -> Iterable[Flask]:
    """An application for tests that only need its languages."""
    app = create_app(Config(data=tmp_path_factory.mktemp("once")))
    yield app
    app.extensions["tossup"].close()


@pytest.fixture(scope="module")
def browser() -> Browser:
    """Debian's Chromium, headless, with an empty profile."""
    return chromium()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> None:
    """End the browser after the last test of pages in a row."""
    close_before(nextitem)


@pytest.fixture(scope="module")
def site(tmp_path_factory, put, publisher_key) -> Iterator[Site]:
    """The application over HTTP, without a survey."""
    app = create_app(Config(data=tmp_path_factory.mktemp("site")))
    with serving(app) as url:
        yield Site(app, url, put, publisher_key)
    app.extensions["tossup"].close()


@pytest.fixture(scope="session")
def axe() -> str:
    """The source of axe-core."""
    return axe_source()


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A browser that has not signed in."""
    return app.test_client()


@pytest.fixture
def signed_in(app: Flask) -> FlaskClient:
    """A browser that has signed in with a link."""
    return sign_in(app)


@pytest.fixture(scope="session")
def reader(
    tmp_path_factory, bilingual: Survey, daily_cells, publisher_key
) -> Iterable[FlaskClient]:
    """A signed-in browser at an application that holds the survey, for tests that only read."""
    app = on_that_day(Config(data=tmp_path_factory.mktemp("read")))
    fill(app, bilingual, daily_cells, publisher_key)
    yield sign_in(app)
    app.extensions["tossup"].close()


@pytest.fixture
def filled(app: Flask, bilingual: Survey, daily_cells: list[Cell], publisher_key) -> Survey:
    """The survey with its reports, in the application's store."""
    fill(app, bilingual, daily_cells, publisher_key)
    return bilingual


@pytest.fixture(scope="session")
def put():
    """The function that puts a survey and its tallies into an application's store."""
    return fill


@pytest.fixture(scope="session")
def receive():
    """The function that lets an application receive joint reports."""
    return receive_in_turn


@pytest.fixture(scope="session")
def enter():
    """The function that gives a signed-in browser of an application."""
    return sign_in


@pytest.fixture(scope="session", name="day")
def day_fixture():
    """The function that returns the day some days before `TODAY`."""
    return day


def day(back: int) -> date:
    return TODAY - timedelta(back)


def sign_in(app: Flask) -> FlaskClient:
    client = app.test_client()
    link = app.extensions["tossup"].auth.create_link()
    client.post(f"/sign-in/{link}", headers={"Sec-Fetch-Site": "same-origin"}, content_length=0)
    return client


@pytest.fixture(scope="session")
def clubs_cells(publisher_key) -> tuple[Survey, list[Cell]]:
    """A survey of five kinds of question and four regions, and 33 days of reports of it."""
    asked = clubs.survey(public_bytes(publisher_key))
    return asked, clubs.cells(asked, day(0))


@pytest.fixture(scope="session")
def clubs_reader(tmp_path_factory, clubs_cells, publisher_key) -> Iterable[FlaskClient]:
    """A signed-in browser at an application that holds it."""
    app = on_that_day(Config(data=tmp_path_factory.mktemp("clubs")))
    fill(app, *clubs_cells, publisher_key)
    yield sign_in(app)
    app.extensions["tossup"].close()


@pytest.fixture
def clubs_on(tmp_path, clubs_cells, publisher_key) -> Iterable[Callable[[date], FlaskClient]]:
    """The function that returns such a browser where another day is the last one of reports."""
    asked, apps = clubs_cells[0], []

    def reader(last: date) -> FlaskClient:
        apps.append(on_that_day(Config(data=tmp_path / str(last)), last))
        fill(apps[-1], asked, clubs.cells(asked, last), publisher_key)
        return sign_in(apps[-1])

    yield reader
    for app in apps:
        app.extensions["tossup"].close()


def fill(app: Flask, survey: Survey, cells: list[Cell], key: Ed25519PrivateKey) -> None:
    first = survey.questions[0].id
    with app.extensions["tossup"].store.write() as transaction:
        transaction.add_manifest(survey, sign_manifest(survey.payload, key))
        for cell in cells:
            # Where answers travel together, a report answers all questions.
            is_new = survey.linkage == "none" or cell.question == first
            n = survey.question(cell.question).mechanism.reports_counted(cell.counts)
            transaction.count(survey.id, _counts(survey, cell), n if is_new else 0)


def receive_in_turn(app: Flask, survey: Survey, n: int) -> None:
    """Receive joint reports whose answers and groups come about in turn."""
    columns = {
        question.id: tuple((place // (at + 1)) % question.mechanism.reports for place in range(n))
        for at, question in enumerate(survey.questions)
    }
    groups = {group.id: tuple(place % 2 for place in range(n)) for group in survey.attributes}
    ids = tuple(secrets.token_bytes(16) for _ in range(n))
    batch = Batch(survey.digest, ids, columns, groups)
    app.extensions["tossup"].ingest.receive(encode_batch(batch, survey))


def _counts(survey: Survey, cell: Cell) -> list[Count]:
    sizes = [len(attribute.options) for attribute in survey.attributes]
    stratum = sum(place * prod(sizes[at + 1 :]) for at, place in enumerate(cell.stratum))
    return [
        Count(cell.manifest, cell.question, cell.day, stratum, value, count)
        for value, count in enumerate(cell.counts)
        if count
    ]
