"""An application with a signed-in browser that fills in forms, and a key of its own."""

from dataclasses import replace
from urllib.parse import urlencode

import pytest
from flask.testing import FlaskClient

from tossup.server.web.app import create_app

SAME_ORIGIN = {"Sec-Fetch-Site": "same-origin"}


class Author:
    """A signed-in browser: it reads a page's token and sends forms with it."""

    def __init__(self, client: FlaskClient) -> None:
        self.client = client

    def get(self, path: str):
        """Return a page."""
        return self.client.get(path)

    def post(self, path: str, **form: str):
        """Send a form with the token that the session has."""
        services = self.client.application.extensions["tossup"]
        with self.client.application.test_request_context(
            headers={"Cookie": f"tossup={self.client.get_cookie('tossup').value}"}
        ):
            form["csrf_token"] = services.auth.csrf_token()
        body = urlencode(form)
        return self.client.post(
            path,
            data=body,
            content_type="application/x-www-form-urlencoded",
            content_length=len(body),
            headers=SAME_ORIGIN,
        )

    @property
    def store(self):
        """The application's store."""
        return self.client.application.extensions["tossup"].store

    def save(self, path: str, **form: str):
        """Send a draft's form with the revision that its page shows."""
        number = int(path.split("/")[2])
        return self.post(path, revision=str(self.store.draft(number).revision), **form)

    def begin(self, **more: str) -> str:
        """Begin a draft and return its address."""
        form = {
            "title": "Habits",
            "purpose": "To learn how common a habit is.",
            "languages": "en",
            "publisher.name": "Example University",
            "publisher.contact": "irb@example.org",
        }
        answer = self.post("/drafts/new", **form | more)
        return answer.location.partition("/questions")[0]


@pytest.fixture
def app(config, tmp_path):
    app = create_app(replace(config, publisher_key=tmp_path / "keys" / "publisher.pem"))
    yield app
    app.extensions["tossup"].close()


@pytest.fixture
def author(app) -> Author:
    client = app.test_client()
    link = app.extensions["tossup"].auth.create_link()
    client.post(f"/sign-in/{link}", headers=SAME_ORIGIN, content_length=0)
    return Author(client)
