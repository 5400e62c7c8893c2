"""Labels in the place of ids, in results that people read; what programs read keeps its ids."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from tossup.server.shortening import shortened
from tossup.shared.survey import WAVE

#: Longer questions and labels are cut in tables.
_LONGEST: Final = 48

Names = Mapping[str, str]


def labelled(results: dict[str, Any]) -> dict[str, Any]:
    """Return results as a server sends them, with labels and texts where ids stood.

    In the survey's first language. Two that read the same keep their ids beside them. The ids of
    attributes and the numbers of waves stay, since ``--by`` and ``--wave`` take them.
    """
    language = next(iter(results["survey"].get("languages", ())), "")
    questions = results["questions"]
    texts = _names(((one["id"], one.get("text")) for one in questions), language)
    options = {
        attribute["id"]: _names(_labels(attribute["options"]), language)
        for attribute in results.get("attributes", ())
        if "options" in attribute and attribute["id"] != WAVE
    }
    return results | {
        "questions": [
            _question(one, _names(_labels(one.get("answers", ())), language), options)
            | {"id": texts[one["id"]]}
            for one in questions
        ]
    }


def labelled_joint(found: dict[str, Any]) -> dict[str, Any]:
    """Return a joint table as a server sends it, with labels and texts where ids stood."""
    codebook = found.get("codebook")
    if not codebook:  # a server of before there was one
        return found
    language = next(iter(found.get("languages", ())), "")
    texts = _names(((one["id"], one["text"]) for one in codebook), language)
    first, second = (_names(_labels(one["answers"]), language) for one in codebook)
    return found | {
        "questions": [texts[one["id"]] for one in codebook],
        "cells": [
            cell | {"answers": [first[cell["answers"][0]], second[cell["answers"][1]]]}
            for cell in found["cells"]
        ],
    }


def _labels(options: Iterable[Mapping[str, Any]]) -> Iterable[tuple[str, Any]]:
    return ((option["id"], option.get("label")) for option in options)


def _names(texts: Iterable[tuple[str, Any]], language: str) -> dict[str, str]:
    """Return a name for each id: its text, or the id itself where it has none."""
    found = {one: _short((text or {}).get(language) or one) for one, text in texts}
    named = list(found.values())
    return {
        one: name if name == one or named.count(name) == 1 else f"{name} [{one}]"
        for one, name in found.items()
    }


def _short(text: str) -> str:
    return shortened(" ".join(text.split()), _LONGEST)


def _question(
    question: Mapping[str, Any], names: Names, options: Mapping[str, Names]
) -> dict[str, Any]:
    found = _part(question, names)
    top = question.get("most_likely")
    if top:
        near = [names.get(one, one) for one in top["not_told_apart_from"]]
        found["most_likely"] = _line(top, names) | {"not_told_apart_from": near}
    for name in ("groups", "days"):
        if name in question:
            found[name] = [_group(part, names, options) for part in question[name]]
    if "changes" in question:
        found["changes"] = [_line(change, names) for change in question["changes"]]
    if "comparisons" in question:
        found["comparisons"] = [_compared(one, names, options) for one in question["comparisons"]]
    return found


def _part(part: Mapping[str, Any], names: Names) -> dict[str, Any]:
    found = dict(part)
    for name in ("estimates", "too_few"):
        if name in part:
            found[name] = [_line(line, names) for line in part[name]]
    if part.get("covariance") and "entries" in part["covariance"]:
        entries = [_line(entry, names) for entry in part["covariance"]["entries"]]
        found["covariance"] = part["covariance"] | {"entries": entries}
    return found


def _group(
    part: Mapping[str, Any], names: Names, options: Mapping[str, Names]
) -> dict[str, Any]:  # fmt: skip
    found = _part(part, names)
    if "option" in part:
        found["option"] = options.get(part["attribute"], {}).get(part["option"], part["option"])
    return found


def _compared(
    found: Mapping[str, Any], names: Names, options: Mapping[str, Names]
) -> dict[str, Any]:
    known = options.get(found["attribute"], {})
    pairs = [
        pair | {"options": [known.get(one, one) for one in pair["options"]]}
        for pair in found["pairs"]
    ]
    return _line(found, names) | {"pairs": pairs}


def _line(line: Mapping[str, Any], names: Names) -> dict[str, Any]:
    """Return an estimate under the labels of what it is of."""
    found = dict(line)
    for name in ("answer", "component"):
        if name in line:
            found[name] = names.get(line[name], line[name])
    if "components" in line:
        found["components"] = [names.get(one, one) for one in line["components"]]
    return found
