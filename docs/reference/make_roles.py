"""Print which role may call which route, as Markdown, from the guards themselves.

``make fix`` writes it to docs/reference/roles.md; a test fails when the two differ.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

from tossup.server.config import Config
from tossup.server.store.members import ROLES
from tossup.server.web.access import actions
from tossup.server.web.app import create_app

TARGET = Path(__file__).with_name("roles.md")

INTRODUCTION = """\
# Roles

Each role may do what those before it may.
A page is for signed-in browsers, the API for keys; results are for both.
Where a survey publishes them they are for everyone.
This page is made from the guards of the routes.
"""
SHOWN = {"session": "page", "api-key": "API", "published": "both", "public": "anyone"}


def reference() -> str:
    """Return the whole page."""
    with TemporaryDirectory() as folder:
        app = create_app(Config(data=Path(folder)), reading=True)
        routes = actions(app)
        app.extensions["tossup"].close()
    parts = [INTRODUCTION]
    for role in (None, *ROLES):
        rows = [
            f"| `{method} {rule}` | {SHOWN[access.by]} | {does} |"
            for method, rule, access, does in routes
            if access.role == role
        ]
        table = "\n".join(["| route | by | what it does |", "| --- | --- | --- |", *rows])
        parts.append(f"## {role.capitalize() if role else 'Everyone'}\n\n{table}\n")
    return "\n".join(parts)


if __name__ == "__main__":
    TARGET.write_text(reference(), encoding="utf-8")
