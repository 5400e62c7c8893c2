"""Serve the page of components on this machine until Ctrl-C: `make components`.

A template that is changed shows in the next load of the page.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

from components import register
from tossup.server.config import Config
from tossup.server.web.app import create_app

PORT = 8090

if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        app = create_app(Config(data=Path(folder)))
        register(app)
        app.config["TEMPLATES_AUTO_RELOAD"] = True
        print(f"The components: http://127.0.0.1:{PORT}/_components")
        app.run(port=PORT)
