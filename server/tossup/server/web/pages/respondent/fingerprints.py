"""The fingerprints of the code that a respondent's page may load."""

import json
from base64 import b64encode
from functools import cache
from hashlib import sha384
from pathlib import Path
from typing import Final

_STATIC: Final = Path(__file__).parents[1] / "static"


@cache
def fingerprints() -> dict[str, str]:
    """Return the SHA-384 of every script of the page by its name: ``sha384-...``, as in browsers.

    Those of the SDK are as its build wrote them; a test compares them with the files.
    """
    built: dict[str, str] = json.loads((_STATIC / "sdk/hashes.json").read_text(encoding="utf-8"))
    own = {path.name: _hash(path.read_bytes()) for path in sorted(_STATIC.glob("*.js"))}
    return own | {name: made for name, made in built.items() if name.startswith("respondent/")}


def _hash(script: bytes) -> str:
    return f"sha384-{b64encode(sha384(script).digest()).decode()}"
