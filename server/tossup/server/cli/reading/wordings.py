"""Which wordings an estimate adds up, in the words of the command line."""

import json
from collections.abc import Iterable
from typing import Any


def wordings_as_text(questions: Iterable[dict[str, Any]]) -> list[str]:
    """Return lines for every question whose reports were given to several wordings."""
    lines = []
    for question in questions:
        # A server of before there were wordings says nothing of them.
        pool = [wording for wording in question.get("wordings", ()) if wording["n"]]
        if len(pool) > 1:
            signed = all(wording["declared"] for wording in pool[:-1])
            means = "signed to mean the same" if signed else "NOT signed to mean the same"
            lines.append(f"{question['id']}: adds up {len(pool)} wordings, {means}:")
            lines += [f"  {_line(wording, pool)}" for wording in pool]
    return lines


def _line(wording: dict[str, Any], pool: list[dict[str, Any]]) -> str:
    """Return days, number of reports, text, and the labels that are not alike in all wordings."""
    every = [{each["id"]: each["label"] for each in other["answers"]} for other in pool]
    labels = [
        f"{each['id']} {_quoted(each['label'])}"
        for each in wording["answers"]
        if any(other.get(each["id"], each["label"]) != each["label"] for other in every)
    ]
    days = f"{wording['first_day']} to {wording['last_day']}"
    return f"{days}, {wording['n']} reports: " + ", ".join([_quoted(wording["text"]), *labels])


def _quoted(text: dict[str, str]) -> str:
    """Return a text in its first language, in quotes."""
    return json.dumps(next(iter(text.values())), ensure_ascii=False)
