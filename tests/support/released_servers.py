"""Write the database of the server that is checked out, to be opened by all later ones.

Run once for every release, and before a migration is added:
``python tests/support/released_servers.py``.
Databases of versions before this script were written by it with ``PYTHONPATH`` set to their
``client``, ``server`` and ``shared``. Beside the database, compressed, lies what it holds, as JSON.
"""

import gzip
import json
import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tossup.client import Client

FOLDER = Path(__file__).parent / "stores" / "server"
DEVICES = 20
SURVEY = """
id = "habits"
title = "Habits"
purpose = "To learn how common a habit is."
[publisher]
name = "Example University"
contact = "irb@example.org"
[[question]]
id = "ever_tried"
text = "Have you ever tried it?"
[[question]]
id = "rating"
text = "How do you rate it?"
answers = ["Good", "Fair", "Poor"]
[[attribute]]
id = "region"
text = "Region"
answers = ["North", "South"]
"""


def main() -> None:
    """Serve, publish, answer, withdraw once, stop, and keep what is left."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        told = _collect(folder)
        with closing(sqlite3.connect(folder / "data/tossup.sqlite3")) as connection:
            held = told | _held(connection)
            connection.execute("VACUUM INTO ?", (str(folder / "copy"),))
        made = FOLDER / f"schema-{held['schema']}"
        made.with_suffix(".json").write_text(json.dumps(held, indent=1, sort_keys=True) + "\n")
        made.with_suffix(".sqlite3.gz").write_bytes(
            gzip.compress((folder / "copy").read_bytes(), mtime=0)
        )


def _collect(folder: Path) -> dict[str, Any]:
    environment = {name: value for name, value in os.environ.items() if "TOSSUP" not in name}
    environment |= {"HOME": str(folder), "no_proxy": "127.0.0.1"}
    command = [sys.executable, "-m", "tossup.server.cli"]
    server = subprocess.Popen(
        [*command, "serve", "--json", "--port", "0", "--data", str(folder / "data")],
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        told = json.loads(server.stdout.readline())
        (folder / "survey.toml").write_text(SURVEY)
        environment |= {"TOSSUP_URL": told["url"], "TOSSUP_API_KEY": told["api_key"]}
        link = subprocess.run(
            [*command, "survey", "create", str(folder / "survey.toml")],
            env=environment,
            check=True,
            capture_output=True,
            text=True,
        ).stdout.strip()
        _answer(link.splitlines()[-1], folder)
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait()
    return {"api_key": told["api_key"]}


def _answer(link: str, folder: Path) -> None:
    for number in range(DEVICES):
        client = Client(link, store=str(folder / f"{number}.db"), strict=True)
        region = {"region": "south" if number % 3 else "north"}
        client.answer({"ever_tried": number % 5 == 0, "rating": "fair"} | region)
        client.flush()
    client.withdraw()
    client.flush()


def _held(connection: sqlite3.Connection) -> dict[str, Any]:
    """Return schema, ids and counters, read as any SQLite file is."""
    ((schema,),) = connection.execute("SELECT max(number) FROM migrations")
    chunks = connection.execute("SELECT ids FROM chunks").fetchall()
    withdrawn = connection.execute("SELECT ids FROM withdrawals").fetchall()
    tallies = connection.execute(
        "SELECT question, stratum, value, sum(n) FROM tallies GROUP BY 1, 2, 3 HAVING sum(n) > 0"
    )
    return {
        "schema": schema,
        "ids": sorted(one.hex() for (blob,) in chunks for one in _split(blob)),
        "withdrawn": sorted(one.hex() for (blob,) in withdrawn for one in _split(blob)),
        "tallies": sorted(map(list, tallies)),
    }


def _split(blob: bytes) -> list[bytes]:
    return [blob[place : place + 16] for place in range(0, len(blob), 16)]


if __name__ == "__main__":
    main()
