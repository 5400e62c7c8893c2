"""The fingerprints of the code that a respondent's page may load, as the build wrote them."""

import json
from functools import cache
from pathlib import Path
from typing import Final

_HASHES: Final = Path(__file__).parents[1] / "static/sdk/hashes.json"


@cache
def fingerprints() -> dict[str, str]:
    """Return the SHA-384 of every script by its name, as browsers write it: ``sha384-...``."""
    made: dict[str, str] = json.loads(_HASHES.read_text(encoding="utf-8"))
    return {name: value for name, value in made.items() if not name.startswith("readable/")}
