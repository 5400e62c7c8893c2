"""A server with one more route that does nothing: what the application costs by itself.

Run as a program with a data folder; prints its port and an API key.
"""

import json
import sys
from pathlib import Path
from urllib.parse import urlsplit

from flask import Response

from tossup.server.config import Config
from tossup.server.web.access import public
from tossup.server.web.app import create_app
from tossup.server.web.serving.run import serve


@public
def nothing() -> Response:
    """Answer at once."""
    return Response(b"{}", content_type="application/json")


def main(data: str) -> None:
    """Serve until told to stop."""
    config = Config(data=Path(data), port=0)
    app = create_app(config)
    app.post("/nothing")(nothing)
    key = app.extensions["tossup"].auth.create_key("bench")

    def ready(url: str) -> None:
        print(json.dumps({"port": urlsplit(url).port, "api_key": key}), flush=True)

    serve(config, ready, app=app)


if __name__ == "__main__":
    main(sys.argv[1])
