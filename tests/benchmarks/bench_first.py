"""The first results page of a fresh server: five questions, four groups, 33 days of reports."""

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from bench_figures import Figure

#: Seconds until the first byte.
MOST = 0.06
ROUNDS = 5
#: A fresh process that starts as `tossup serve` does, fills its store first, and then asks twice:
#: for the page that was prepared, and for one that nobody asked for yet.
_PROGRAM = """
import sys, time
sys.path.insert(0, sys.argv[2])
import clubs
from datetime import date
from math import prod
from pathlib import Path
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from tossup.server.config import Config
from tossup.server.store.records import Count
from tossup.server.web.app import create_app
from tossup.server.web.serving.preparing import prepare
from tossup.server.web.pages.templating import load
from tossup.shared.signing import public_bytes, sign_manifest
key = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
survey = clubs.survey(public_bytes(key))
app = create_app(Config(data=Path(sys.argv[1])))
services = app.extensions["tossup"]
with services.store.write() as transaction:
    transaction.add_manifest(survey, sign_manifest(survey.payload, key))
    for cell in clubs.cells(survey, date.today()):
        counts = [Count(cell.manifest, cell.question, cell.day, cell.stratum[0], value, count)
                  for value, count in enumerate(cell.counts) if count]
        transaction.count(survey.id, counts, 0)
    transaction.count(survey.id, [], 1840)
load(app)
prepare(app)
reader = app.test_client()
link = services.auth.create_link()
reader.post(f"/sign-in/{link}", headers={"Sec-Fetch-Site": "same-origin"}, content_length=0)
for address in ("/surveys/clubs", "/surveys/clubs?where.region=north"):
    start = time.process_time()
    assert reader.get(address, headers={"Accept-Encoding": "gzip"}).status_code == 200
    print(time.process_time() - start)
services.close()
"""


def first_page() -> list[Figure]:
    """Return what the first page costs over the limit, and what one costs that is made anew."""
    rounds = [_round() for _ in range(ROUNDS)]
    names = ("first results page / 60 ms", "results page made anew, filtered / 60 ms")
    found = []
    for name, gate, seconds in zip(names, (1, 3), zip(*rounds, strict=True), strict=True):
        ratios = sorted(each / MOST for each in seconds)
        note = f"{1e3 * MOST * ratios[ROUNDS // 2]:.0f} ms of a processor, in a fresh process"
        middle = ratios[ROUNDS // 2]
        found.append(Figure(name, middle, ratios[0], ratios[-1], "lower", gate, 1, note))
    return found


def _round() -> list[float]:
    support = Path(__file__).parents[1] / "support"
    with TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-c", _PROGRAM, folder, str(support)],
            capture_output=True,
            text=True,
            check=True,
        )
    return [float(line) for line in done.stdout.split()]
