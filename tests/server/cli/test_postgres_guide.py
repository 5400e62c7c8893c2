"""docs/how-to/use-postgresql.md, as its reader would type it, with two servers."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from time import time
from urllib.request import urlopen

import pytest
from postgres import Cluster, program
from server_process import post

from tossup.server.cli.api import Server
from tossup.shared.survey import Survey
from tossup.shared.wire import MANIFEST_TYPE, Receipt

PAGE = Path(__file__).parents[3] / "docs/how-to/use-postgresql.md"
TOSSUP = [sys.executable, "-m", "tossup.server.cli"]

pytestmark = pytest.mark.prove


@pytest.fixture(scope="module")
def environment(cluster: Cluster) -> dict[str, str]:
    """The shell of someone who set everything up."""
    path = f"{Path(program('createdb')).parent}:{Path(sys.executable).parent}:{os.environ['PATH']}"
    shell = os.environ | {"PATH": path, "PGHOST": str(cluster.folder), "PGUSER": "tossup"}
    made, named, *_ = re.findall(r"```sh\n(.*?)```", PAGE.read_text(), re.DOTALL)
    # The tests' cluster has the role as its superuser.
    made = made.replace("createuser tossup\n", "createuser other\n")
    subprocess.run(["bash", "-euc", made], env=shell, check=True)
    url = re.search(r"TOSSUP_DATABASE_URL='(.*)'", named)[1]
    return shell | {"TOSSUP_DATABASE_URL": url.replace("db.example", "").partition("?")[0]}


@pytest.fixture(scope="module")
def servers(environment: dict[str, str]) -> Iterator[list[dict[str, str]]]:
    """What two servers on the database say when they are ready."""
    command = [*TOSSUP, "serve", "--port", "0", "--json"]
    running = [
        subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    yield [json.loads(server.stdout.readline()) for server in running]
    for server in running:
        server.terminate()
        server.communicate(timeout=300)


def tossup(environment: dict[str, str], *arguments: str) -> str:
    done = subprocess.run(
        [*TOSSUP, *arguments], env=environment, stdout=subprocess.PIPE, text=True, check=True
    )
    return done.stdout


def test_two_servers_count_a_report_once(
    environment: dict[str, str],
    servers: list[dict[str, str]],
    survey: Survey,
    envelope: bytes,
    make_body: Callable[..., bytes],
) -> None:
    """The same reports to both, then a doctor, a recount and an estimate that agree."""
    key = next(said["api_key"] for said in servers if said["api_key"])
    Server(servers[0]["url"], key).post("/v1/surveys", envelope, MANIFEST_TYPE)
    asking = environment | {"TOSSUP_API_KEY": key, "TOSSUP_URL": servers[1]["url"]}
    body = make_body((1, 0) * 60)
    receipts = [post(said["url"], "/v1/reports", body, 120) for said in (*servers, servers[0])]
    shown = json.loads(tossup(asking, "estimate", survey.id, "--json"))
    looked = tossup(environment, "doctor")

    assert [Receipt(120)] * 3 == receipts
    assert "120" in json.dumps(shown)
    assert "120 stored reports and the counters agree" in looked
    assert "120 stored reports" in tossup(environment, "recount", survey.id)


def test_what_needs_a_file_refuses(environment: dict[str, str], tmp_path: Path) -> None:
    """`tossup backup` says what to use instead, and writes nothing."""
    done = subprocess.run(
        [*TOSSUP, "backup", str(tmp_path / "copy")],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode
    assert "pg_dump" in done.stderr
    assert not (tmp_path / "copy").exists()


def test_a_copy_by_postgresqls_own_tools_is_told_to_all_servers(
    environment: dict[str, str], servers: list[dict[str, str]], tmp_path: Path
) -> None:
    """By the guide's commands; /metrics of each says when it was made."""
    (copying,) = re.findall(r"```sh\n([^`]*pg_dump .*?)```", PAGE.read_text(), re.DOTALL)
    began = int(time())
    copying = copying.replace("/var/backups/tossup", str(tmp_path))
    subprocess.run(["bash", "-euc", copying], env=environment, check=True)
    noted = [
        float(re.search(r"^tossup_last_backup_timestamp_seconds (.+)$", text, re.M)[1])
        for text in (urlopen(f"{said['url']}/metrics").read().decode() for said in servers)
    ]

    assert began <= noted[0] == noted[1] <= time()
    assert b"PGDMP" == (tmp_path / "tossup.dump").read_bytes()[:5]
