"""A server with two more routes: one that does nothing, and one that takes reports by Flask.

Run as a program with a data folder; prints its port and an API key. With ``waitress`` behind it
Flask stands behind waitress and 64 threads, as before decision 0025: what all else is compared
with. With ``unpaused`` a refusal is answered as soon as it is known, so that its cost is measured.
"""

import json
import sys
from pathlib import Path
from urllib.parse import urlsplit

import waitress
from flask import Response

from tossup.server.config import Config
from tossup.server.web.access import public
from tossup.server.web.api import post_reports
from tossup.server.web.app import create_app
from tossup.server.web.serving import reports
from tossup.server.web.serving.run import serve

#: More ids than any benchmark sends.
MANY = 100_000_000


@public
def nothing() -> Response:
    """Answer at once."""
    return Response(b"{}", content_type="application/json")


@public
def by_flask() -> Response:
    """Take reports as any other WSGI server would: a thread waits for each."""
    return post_reports()


def main(data: str, other: str = "") -> None:
    """Serve until told to stop."""
    config = Config(data=Path(data), port=0, max_reports=MANY)
    app = create_app(config)
    app.post("/nothing")(nothing)
    app.post("/by-flask")(by_flask)
    key = app.extensions["tossup"].auth.create_key("bench")

    def ready(url: str) -> None:
        print(json.dumps({"port": urlsplit(url).port, "api_key": key}), flush=True)

    if other == "unpaused":
        reports._REFUSAL_SECONDS = 0  # type: ignore[misc]
    if other == "waitress":
        server = waitress.create_server(app, port=0, threads=64, ident=None)
        ready(f"http://127.0.0.1:{server.effective_port}")
        server.run()
    else:
        serve(config, ready, app=app)


if __name__ == "__main__":
    main(*sys.argv[1:])
