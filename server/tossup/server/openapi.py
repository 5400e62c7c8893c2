"""The API described for machines (OpenAPI 3.1). A test compares it with the routes."""


def describe() -> dict[str, object]:
    """Return the OpenAPI document."""
    return {"openapi": "3.1.0", "info": {"title": "Tossup", "version": "1"}, "paths": {}}
