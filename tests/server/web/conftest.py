"""What tests of the web share."""

from collections.abc import Iterator

import pytest
from flask import Flask
from roads import put_behind_gateway


@pytest.fixture(params=["flask", "gateway"])
def road(request: pytest.FixtureRequest, app: Flask) -> Iterator[str]:
    """Both roads of a request to `app`: what is tested on them holds behind ``tossup serve``."""
    if request.param == "flask":
        yield "flask"
        return
    gateway = put_behind_gateway(app)
    yield "gateway"
    gateway.close()
