"""``/healthz``, ``/readyz`` and ``/metrics``."""

import pytest
from flask.testing import FlaskClient

from tossup.server.metrics import Metrics
from tossup.server.services import Services
from tossup.server.store import StorageFailed
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


def test_metrics_without_traffic_are_well_formed() -> None:
    """Types and help stand before any count."""
    assert Metrics().text().endswith("# EOF\n")
