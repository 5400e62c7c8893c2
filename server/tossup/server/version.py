"""Which Tossup this is."""

from functools import cache
from importlib.metadata import PackageNotFoundError, version


@cache
def product_version() -> str | None:
    """Return the installed version; None where the code runs without being installed."""
    try:
        return version("tossup")
    except PackageNotFoundError:
        return None
