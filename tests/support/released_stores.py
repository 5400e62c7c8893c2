"""Write the store of the version that is checked out, to be opened by all later ones.

Run once for every release, before its schema can change again:
``python tests/support/released_stores.py``.
Beside the store lies what it holds, as JSON: every report by its id, in hex.
"""

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tossup.client import Client
from tossup.client.testing import MemoryServer, example_survey
from tossup.shared.mechanisms import TwoCoin
from tossup.shared.signing import public_bytes, sign_manifest
from tossup.shared.survey import WAVE, Attribute, Option, Question, Survey
from tossup.shared.waves import Waves

FOLDER = Path(__file__).parent / "stores"
KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
EXAMPLE = example_survey(public_bytes(KEY))
TEXT = {"en": "An example"}


def asking(name: str) -> Question:
    """Return a yes/no question with a topic of its own."""
    return Question(name, f"{name}-topic", TEXT, (), TwoCoin())


#: What is answered and sent; its next version asks one question more, whose report still waits.
FIRST = replace(EXAMPLE, id="habits", questions=(asking("old"),))
NEXT = replace(FIRST, version=2, previous=FIRST.digest, questions=(asking("old"), asking("new")))
#: Tossed once for all waves, and reported in the first of them.
WAVED = replace(
    EXAMPLE,
    id="waved",
    questions=(asking("again"),),
    attributes=(Attribute(WAVE, TEXT, tuple(Option(n, {"en": n}) for n in "1234")),),
    waves=Waves(count=4, first=date(2027, 1, 4), days=7),
)
#: Withdrawn after it was sent; the server does not know of that yet.
LEFT = replace(EXAMPLE, id="left", questions=(asking("regretted"),))


def server_of(survey: Survey) -> MemoryServer:
    """Return a server of one survey, signed."""
    return MemoryServer(sign_manifest(survey.payload, KEY))


def client_of(server: MemoryServer, name: str, store: Path) -> Client:
    """Return the device that may answer one of the surveys."""
    return Client(
        f"https://survey.example/v1/surveys/{name}",
        public_bytes(KEY),
        store=store,
        transport=server,
        strict=True,
    )


def main() -> None:
    """Answer, send and withdraw, and keep the rest for later versions."""
    store = FOLDER / f"{version('tossup')}.db"
    for survey, answers in (
        (FIRST, {"old": True}),
        (WAVED, {"again": True}),
        (LEFT, {"regretted": False}),
    ):
        client = client_of(server_of(survey), survey.id, store)
        client.answer(answers, 1 if survey.waves else None)
        client.flush()
    client.withdraw()
    client = client_of(server_of(NEXT), NEXT.id, store)
    client.survey()
    client.answer({"new": False})
    client.consent(True)
    store.with_suffix(".json").write_text(json.dumps(_held(store), indent=2) + "\n")


def _held(store: Path) -> dict[str, Any]:
    """Return what is in the outbox and what is kept for later waves, read as any SQLite file is."""
    with closing(sqlite3.connect(store)) as connection:
        reports = connection.execute(
            "SELECT id, state, report FROM outbox_0 ORDER BY id"
        ).fetchall()
        ((kept,),) = connection.execute("SELECT kept FROM memory")
    by_state = {state: {} for _, state, _ in reports}
    for report_id, state, report in reports:
        by_state[state][report_id.hex()] = json.loads(report)[0]
    return {"reports": by_state, "kept": int(kept, 16)}


if __name__ == "__main__":
    main()
