"""Fixtures of the server's tests: a store, an application on it, and what devices send."""

import secrets
import time
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import pytest
from compiling import compiled_once  # noqa: F401  (a fixture)
from flask import Flask
from flask.testing import FlaskClient
from postgres import Cluster
from stores import PostgreSQL, SQLite

from tossup.server.config import Config
from tossup.server.store import Store
from tossup.server.surveys.lifecycle import publish
from tossup.server.web.app import create_app
from tossup.server.web.services import Services
from tossup.shared.survey import Survey
from tossup.shared.wire import Batch, encode_batch

DAY = date(2026, 3, 14)


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for what is worked out aside, however busy this machine is."""
    monkeypatch.setattr("tossup.server.web.answers.PATIENCE_SECONDS", 300.0)


@pytest.fixture
def config(tmp_path: Path) -> Config:
    return Config(data=tmp_path / "data")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run the tests of modules that say ON_BOTH_STORES on PostgreSQL too, in `make prove`.

    What a test says of the SQLite file alone has the mark ``sqlite``.
    """
    on_both = getattr(metafunc.module, "ON_BOTH_STORES", False)
    if "database" in metafunc.fixturenames and on_both and not _is_of_sqlite(metafunc):
        cases = [SQLite, pytest.param(PostgreSQL, marks=pytest.mark.prove)]
        metafunc.parametrize("database", cases, indirect=True, ids=["sqlite", "postgresql"])


def _is_of_sqlite(metafunc: pytest.Metafunc) -> bool:
    return metafunc.definition.get_closest_marker("sqlite") is not None


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """A PostgreSQL of the tests' own."""
    made = Cluster()
    yield made
    made.remove()


@pytest.fixture
def database(request: pytest.FixtureRequest, config: Config) -> SQLite | PostgreSQL:
    """A database for one test."""
    if getattr(request, "param", SQLite) is SQLite:
        return SQLite(config)
    return PostgreSQL(config, request.getfixturevalue("cluster"))


@pytest.fixture
def store(database: SQLite | PostgreSQL) -> Iterator[Store]:
    """An empty store on the day 2026-03-14."""
    made = database.open(day=lambda: DAY)
    yield made
    made.close()


@pytest.fixture
def app(database: SQLite | PostgreSQL, store: Store, envelope: bytes) -> Iterator[Flask]:
    """An application with one open survey, `survey`."""
    made = create_app(database.config, store=store)
    publish(store, envelope)
    yield made
    made.extensions["tossup"].close()


@pytest.fixture
def services(app: Flask) -> Services:
    return app.extensions["tossup"]


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A browser or device without credentials."""
    return app.test_client()


@pytest.fixture
def key(services: Services) -> dict[str, str]:
    """The header of a researcher with an API key."""
    return {"Authorization": f"Bearer {services.auth.create_key('tests')}"}


MakeBatch = Callable[..., Batch]


@pytest.fixture
def make_batch(survey: Survey) -> MakeBatch:
    """Return a batch of reports to `survey`, with fresh ids unless they are given."""

    def make(
        values: tuple[int, ...] = (1, 0, 1),
        *,
        question: str = "ever_tried",
        ids: tuple[bytes, ...] | None = None,
        region: int = 0,
        of: Survey = survey,
    ) -> Batch:
        return Batch(
            manifest=of.digest,
            ids=ids or tuple(secrets.token_bytes(16) for _ in values),
            columns={question: values},
            attributes={"region": (region,) * len(values)},
        )

    return make


@pytest.fixture
def make_body(survey: Survey, make_batch: MakeBatch) -> Callable[..., bytes]:
    """Return the body of a batch, as `make_batch`."""

    def make(values: tuple[int, ...] = (1, 0, 1), **options: object) -> bytes:
        return encode_batch(make_batch(values, **options), survey)

    return make


@pytest.fixture
def wait_until() -> Callable[[Callable[[], bool]], None]:
    """Wait for something another thread does; give up after five minutes."""

    def wait(holds: Callable[[], bool]) -> None:
        end = time.monotonic() + 300
        while not holds() and time.monotonic() < end:
            time.sleep(0.005)

    return wait


@pytest.fixture
def reported(services, make_body):
    """Two hundred reports to the yes/no question, half of them yes, half of them from the north."""
    for region in (0, 1):
        services.ingest.receive(make_body((0, 1) * 50, region=region))
