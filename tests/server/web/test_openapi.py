"""``GET /v1/openapi.json``."""

from flask import Flask
from flask.testing import FlaskClient

DESCRIBED = {"api", "results_api", "ops"}


def routes(app: Flask) -> set[tuple[str, str]]:
    """Path and method of every route of the API, in OpenAPI's spelling."""
    return {
        (rule.rule.replace("<", "{").replace(">", "}"), method.lower())
        for rule in app.url_map.iter_rules()
        for method in rule.methods - {"HEAD", "OPTIONS"}
        if rule.endpoint.split(".")[0] in DESCRIBED
    }


def test_every_route_is_described_and_no_other(app: Flask, client: FlaskClient) -> None:
    """The description and the routes are the same set."""
    paths = client.get("/v1/openapi.json").json["paths"]

    assert routes(app) == {(path, method) for path, found in paths.items() for method in found}


def test_path_parameters_are_declared(client: FlaskClient) -> None:
    """Every placeholder of a path is a required parameter."""
    for path, methods in client.get("/v1/openapi.json").json["paths"].items():
        for operation in methods.values():
            declared = {p["name"] for p in operation["parameters"] if p["in"] == "path"}

            assert {part[1:-1] for part in path.split("/") if part.startswith("{")} == declared


def test_what_needs_a_key_says_so(app: Flask, client: FlaskClient) -> None:
    """The guard in the code and the security in the description agree."""
    paths = client.get("/v1/openapi.json").json["paths"]
    for rule in app.url_map.iter_rules():
        path = rule.rule.replace("<", "{").replace(">", "}")
        for method, operation in paths.get(path, {}).items():
            if method.upper() in rule.methods:
                guarded = app.view_functions[rule.endpoint].access.by == "api-key"

                assert guarded == ("security" in operation)
