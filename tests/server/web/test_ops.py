"""``/healthz``, ``/readyz`` and ``/metrics``."""

import re
import subprocess
import sys
from pathlib import Path
from shutil import disk_usage

import pytest
from click.testing import CliRunner
from flask.testing import FlaskClient

from tossup.server.cli.root import root
from tossup.server.clock import today
from tossup.server.store import SQLiteStore, StorageFailed
from tossup.server.store.connection import Connection, connect
from tossup.server.web.metrics import Metrics
from tossup.server.web.middleware.problems import CODES
from tossup.server.web.services import Services
from tossup.shared.wire import REPORTS_TYPE


def test_it_is_alive(client: FlaskClient) -> None:
    """The process answers."""
    assert (200, "ok\n") == (client.get("/healthz").status_code, client.get("/healthz").text)


def test_it_is_ready(client: FlaskClient) -> None:
    """The store can be written."""
    assert 200 == client.get("/readyz").status_code


def test_it_is_not_ready_without_its_store(
    client: FlaskClient, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A store that cannot be written is a 503, while the process is alive."""

    def fail() -> None:
        raise StorageFailed("read-only file system")

    monkeypatch.setattr(services.store, "check_writable", fail)

    assert (503, 200) == (client.get("/readyz").status_code, client.get("/healthz").status_code)


def test_outcomes_are_counted(client: FlaskClient, make_body) -> None:
    """Received reports and refusals by their code, and no more labels."""
    client.post("/v1/reports", data=make_body((1, 0)), content_type=REPORTS_TYPE)
    client.post("/v1/reports", data=b"no", content_type=REPORTS_TYPE)
    response = client.get("/metrics")

    assert response.content_type.startswith("application/openmetrics-text; version=1.0.0")
    assert ['tossup_reports_total{outcome="received"} 2', "# EOF"] == [
        line for line in response.text.splitlines() if "reports_total" in line or "EOF" in line
    ]
    assert 'tossup_problems_total{code="malformed"} 1' in response.text


def test_a_rate_that_jumps_is_told_of_the_survey_alone():
    """Reports and withdrawals, while the hour stands out and in the one after; no id is shown."""
    for of in ("reports", "withdrawals"):
        hour = [0.0]
        metrics = Metrics(now=lambda: 3600 * hour[0])  # noqa: B023
        found = []
        for number in (100, 0, 90, 100, 1000, 11_000, 10, 0):
            metrics.count_received("habits", of, number)
            metrics.count_received("calm", of, 5)
            held = [line for line in metrics.text().splitlines() if line.startswith("tossup_jump{")]
            assert f'tossup_jump{{survey="2b4b2eadf7b2",of="{of}"}} 0' in held
            found.append(sum(int(line[-1]) for line in held))
            hour[0] += 1

        assert [0, 0, 0, 0, 0, 1, 1, 0] == found
        assert "habits" not in metrics.text()


def test_every_counter_is_told_before_it_counts(client: FlaskClient) -> None:
    """Prometheus sees no increase where a series begins with 1: no alarm of the first mistake."""
    told = re.findall(r'^(tossup_\w+)_total\{\w+="(.+)"\} (.+)$', client.get("/metrics").text, re.M)

    assert [
        *[("tossup_reports", "received", "0"), ("tossup_withdrawals", "received", "0")],
        *[("tossup_problems", code, "0") for code in sorted(CODES)],
    ] == told


def test_metrics_without_traffic_are_well_formed() -> None:
    """Types and help stand before any count."""
    assert Metrics().text().endswith("# EOF\n")


def test_metrics_are_what_openmetrics_allows(client: FlaskClient, make_body) -> None:
    """Each sample stands under its family's type, once, and the names of counters end alike."""
    for body in (make_body((1, 0)), b"nonsense"):
        client.post("/v1/reports", data=body, content_type=REPORTS_TYPE)
    answer = client.get("/metrics")
    *lines, end = answer.text.splitlines()
    types: dict[str, str] = {}
    family, seen = "", []
    for line in lines:
        if told := re.fullmatch(r"# TYPE (\w+) (counter|gauge)", line):
            family, kind = told.groups()
            assert family not in types, line
            types[family] = kind
        elif not re.fullmatch(rf"# (HELP|UNIT) {family} \S.*", line):
            sample = re.fullmatch(
                r'(\w+)({\w+="[^"\\\n]*"(,\w+="[^"\\\n]*")*})? -?[0-9.]+(e[+-]?\d+)?', line
            )
            assert sample, line
            assert sample[1] == family + "_total" * (types[family] == "counter"), line
            seen.append(line.rpartition(" ")[0])

    assert "# EOF" == end
    assert len(seen) == len(set(seen)) > 5
    assert answer.content_type.startswith("application/openmetrics-text; version=1.0.0")


def test_readyz_writes_a_row_and_takes_it_back(config, envelope) -> None:
    """The write lock alone says nothing of the disk."""
    said: list[str] = []

    class Listening:
        def __init__(self, connection: Connection) -> None:
            self._connection = connection
            self.close = connection.close

        def execute(self, sql: str, parameters: tuple[object, ...] = ()) -> object:
            said.append(sql.split(maxsplit=1)[0])
            return self._connection.execute(sql, parameters)

    store = SQLiteStore(config.database, connect=lambda path: Listening(connect(path)))
    said.clear()
    store.check_writable()
    store.close()

    assert ["BEGIN", "INSERT", "ROLLBACK"] == [word for word in said if word != "PRAGMA"]


def test_a_full_disk_is_503_with_the_reason(
    client: FlaskClient, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By what the disk says is free, which counts where the journal still has room."""
    usage = type(disk_usage("."))(1 << 40, 1 << 40, 4096)
    monkeypatch.setattr("tossup.server.store.sqlite.disk_usage", lambda _: usage)
    answer = client.get("/readyz")

    assert (503, "urn:tossup:error:storage") == (answer.status_code, answer.json["type"])
    assert "disk is full" in answer.json["detail"]


@pytest.mark.skipif(sys.platform != "linux", reason="a limit of file sizes as Linux has it")
def test_a_file_that_cannot_grow_is_found(tmp_path: Path) -> None:
    """The trial row reaches the file: a quota, which no free space tells, is found as well."""
    script = (
        "import resource, signal, sys; from pathlib import Path\n"
        "from tossup.server.store import SQLiteStore, StorageFailed\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "path = Path(sys.argv[1]); store = SQLiteStore(path)\n"
        "most = path.with_name(path.name + '-wal').stat().st_size + 4096\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))\n"
        "try: store.check_writable()\n"
        "except StorageFailed: print('found')\n"
    )
    command = [sys.executable, "-c", script, str(tmp_path / "t.sqlite3")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert "found\n" == done.stdout


def test_operators_learn_that_the_clock_jumped_until_it_is_confirmed(
    client: FlaskClient, services: Services, config, store: SQLiteStore, monkeypatch
) -> None:
    """By the metrics, the list of surveys, the doctor and `tossup clock`."""
    services.retention.stop()  # it has noted today
    monkeypatch.setattr(store, "clock", today)  # which is that of the commands
    with store._pool.lend() as connection:
        connection.execute("UPDATE known_day SET day = '2026-01-02'")
    client.set_cookie(
        services.auth.cookie, services.auth.redeem_link(services.auth.create_link()) or ""
    )
    found, command = [], CliRunner()
    for step in ((), ("--confirm",)):
        done = command.invoke(root, ["clock", "--data", str(config.data), *step])
        told = command.invoke(root, ["doctor", "--data", str(config.data)]).stdout
        found.append(
            (
                done.exit_code,
                "bad   day: the clock says" in told,
                "tossup_clock_jumped 1\n" in client.get("/metrics").text,
                "tossup clock --confirm" in client.get("/").text,
            )
        )

    assert [(1, True, True, True), (0, False, False, False)] == found
