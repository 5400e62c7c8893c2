"""The dearest anonymous GET of each kind of route, on surveys at the limits of the survey file."""

import resource
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

from bench_figures import Figure
from dear_surveys import SURVEYS, fill
from flask.testing import FlaskClient

from tossup.server.config import Config
from tossup.server.store import SQLiteStore
from tossup.server.web.app import create_app
from tossup.server.web.pages.templating import load

#: Reports to every question: so many that more change nothing but the counting of joint ones.
REPORTS = 100_000
#: Seconds of a processor that a request may cost.
MOST = 0.3
_PATIENCE = 300

_PATHS = {
    "json": "/v1/surveys/{}/results",
    "csv": "/v1/surveys/{}/results.csv",
    "page": "/surveys/{}",
    "manifest": "/v1/surveys/{}",
    "joint": "/v1/surveys/{}/joint?questions=one,two",
    "joint page": "/surveys/{}/joint?rows=one&columns=two",
    "respondents' page": "/v1/surveys/{}",
}


def dear() -> list[Figure]:
    """Return for each kind what its dearest request costs; beyond it, what is made aside once."""
    found: dict[str, list[tuple[float, float, str]]] = {kind: [] for kind in _PATHS}
    # A survey for each core: time is counted by the process that spends it.
    with ProcessPoolExecutor(mp_context=get_context("spawn"), max_tasks_per_child=1) as pool:
        for name, costs in zip(SURVEYS, pool.map(_measured, SURVEYS), strict=True):
            for kind, here, aside in costs:
                found[kind].append((here, aside, name))
    return [_figure(kind, costs) for kind, costs in found.items()]


def _measured(name: str) -> list[tuple[str, float, float]]:
    with TemporaryDirectory() as folder:
        return _costs(name, Path(folder))


def _costs(name: str, folder: Path) -> list[tuple[str, float, float]]:
    config = Config(data=folder)
    store = SQLiteStore(config.database)
    fill(store, name, REPORTS)
    app = create_app(config, store=store)
    load(app)
    client = app.test_client()
    kinds = [kind for kind in _PATHS if name == "joint" or not kind.startswith("joint")]
    costs = [(kind, *_cost(client, _PATHS[kind].format(name), _headers(kind))) for kind in kinds]
    app.extensions["tossup"].close()
    store.close()
    return costs


def _headers(kind: str) -> dict[str, str]:
    accepted = "text/html" if kind == "respondents' page" else "*/*"
    return {"Accept": accepted, "Accept-Encoding": "gzip"}


def _cost(client: FlaskClient, path: str, headers: dict[str, str]) -> tuple[float, float]:
    """Return the dearest of the requests until an answer is there, and what was made aside."""
    here, before, end = [], _aside(), time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        start = time.process_time()
        status = client.get(path, headers=headers).status_code
        here.append(time.process_time() - start)
        if status == 200:
            return max(here), _aside() - before
        if status != 503:
            raise RuntimeError(f"GET {path} was answered with {status}")
        time.sleep(1)
    raise RuntimeError(f"GET {path} has no answer after {_PATIENCE} s; is the machine busy?")


def _aside() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _figure(kind: str, costs: list[tuple[float, float, str]]) -> Figure:
    dearest, _, name = max(costs)
    _, aside, of = max(costs, key=lambda cost: cost[1])
    ratios = [here / MOST for here, *_ in costs]
    note = f"{dearest * 1e3:.0f} ms for {name}; made aside, once: at most {aside:.1f} s for {of}"
    label = f"dearest anonymous {kind} / 300 ms"
    return Figure(label, max(ratios), min(ratios), max(ratios), "lower", 1, 0.3, note)
