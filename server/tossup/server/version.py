"""Which Tossup this is."""

from functools import cache


@cache
def product_version() -> str | None:
    """Return the installed version; None where the code runs without being installed."""
    # Imported here: it takes as long as all else that `tossup --help` imports.
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("tossup-server")
    except PackageNotFoundError:
        return None
