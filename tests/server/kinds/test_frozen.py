"""What users see of every kind of question, from fixed tallies: each word and figure stays.

JSON, CSV, page (in both languages), command line and preview. See ``tests/support/frozen_kinds.py``
for how a change that is meant is written down.
"""

import json
from math import isclose

from frozen_kinds import FOLDER, TEXTS, all_seen, application


def test_what_users_see_of_every_kind_of_question_stays():
    """Of each survey every form is as it was; the message names the first line that is not."""
    with application() as app:
        for name in TEXTS:
            for file, text in all_seen(app, name).items():
                frozen = (FOLDER / file).read_text(encoding="utf-8")
                assert _differing(file, text, frozen) is None, file


def _differing(file: str, text: str, frozen: str) -> object:
    """Return the first piece that differs, as it is and as it was; None if none does."""
    if file.endswith(".json"):
        return _first(json.loads(text), json.loads(frozen), "")
    lines, were = text.splitlines(), frozen.splitlines()
    if file.endswith(".csv"):
        lines, were = [line.split(",") for line in lines], [line.split(",") for line in were]
    return _first(lines, were, "")


def _first(now: object, was: object, place: str) -> object:
    if isinstance(now, dict) and isinstance(was, dict) and list(now) == list(was):
        pairs = [(f"{place}.{name}", now[name], was[name]) for name in now]
    elif isinstance(now, list) and isinstance(was, list) and len(now) == len(was):
        pairs = [(f"{place}[{at}]", *both) for at, both in enumerate(zip(now, was, strict=True))]
    else:
        return None if _alike(now, was) else (place, now, was)
    return next((found for at, a, b in pairs if (found := _first(a, b, at)) is not None), None)


def _alike(now: object, was: object) -> bool:
    """Return whether two leaves are the same; floats to six digits, whatever the machine."""
    try:
        numbers = float(now), float(was)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return now == was
    return type(now) is type(was) and isclose(*numbers, rel_tol=2e-6, abs_tol=1e-9)
