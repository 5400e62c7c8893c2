"""Surveys with every kind of question and fixed tallies, and all that users see of them.

The tallies were tossed once and stand in ``tests/server/kinds/frozen_kinds/cells.json``; what JSON,
CSV, page, command line and preview make of them stands beside them. After a change that is meant,
``python tests/support/frozen_kinds.py`` writes all but the tallies again;
read the diff before it is committed.
"""

import csv
import json
import re
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from html import unescape
from io import StringIO
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

from flask import Flask, g, render_template

from tossup.client.preview import preview
from tossup.server.cli.reading import results as cli_results
from tossup.server.config import Config
from tossup.server.kinds import kind_of, reasons
from tossup.server.planning.whole_survey import for_margin, for_respondents
from tossup.server.results import Results, results, results_to_csv, results_to_json
from tossup.server.store.tally import Cell
from tossup.server.surveys.file import load_survey
from tossup.server.web.app import create_app
from tossup.server.web.pages.figures.progress import ways
from tossup.server.web.pages.overview import Standing
from tossup.server.web.pages.page import question_views
from tossup.shared.survey import Survey

FOLDER: Final = Path(__file__).parents[1] / "server" / "kinds" / "frozen_kinds"
DAYS: Final = (date(2026, 1, 5), date(2026, 1, 12))
_FLOAT: Final = re.compile(r"-?[0-9]+\.[0-9]+(e-?[0-9]+)?|-?[0-9]+e-?[0-9]+")
LANGUAGES: Final = ("en", "zh-Hans")

_HEAD: Final = """
question_cap = 729
id = "ID"
title = "Every kind"
purpose = "To see every kind of question."
[publisher]
name = "Example University"
contact = "irb@example.org"
"""

_REGIONS: Final = """
[[attribute]]
id = "region"
text = "Where do you live?"
answers = ["North", "South"]
"""

_WAVES: Final = """
[waves]
count = 2
first = 2026-01-05
days = 7
"""

#: By the survey's id: what follows the head.
TEXTS: Final[Mapping[str, str]] = {
    "choices": f"""
[[question]]
id = "tried"
text = "Have you ever tried it?"
[[question]]
id = "travel"
text = "How do you travel?"
answers = ["Bus", "Tram", "Bike"]
[[question]]
id = "colour"
text = "Which colour?"
answers = ["Red", "Green", "Blue", "Grey"]
mechanism = "optimized-unary"
[[question]]
id = "place"
text = "Which place is nearest?"
answers = ["North", "Centre", "South"]
mechanism = "permute-and-flip"
distances = [[0, 1, 5], [1, 0, 4], [5, 4, 0]]
{_REGIONS}""",
    "paper": f"""
[[question]]
id = "cards"
text = "Have you ever cheated?"
mechanism = "kuk"
cards = 2
[[question]]
id = "month"
text = "Have you ever lied, or were you born in May?"
mechanism = "crosswise"
prevalence = "1/4"
[[question]]
id = "true"
text = "Which of these are true of you?"
answers = {{ several = ["I cheated", "I was born in spring"] }}
mechanism = "unrelated-question"
selected = "4/5"
{_REGIONS}""",
    "sets": f"""
[[question]]
id = "uses"
text = "Which do you use?"
answers = {{ several = ["Python", "Rust", "C"], most = 2 }}
mechanism = "per-option-bits"
[[question]]
id = "asked"
text = "Which of these?"
answers = {{ several = ["A", "B", "C", "D"] }}
mechanism = "sampled-options"
[[question]]
id = "order"
text = "In which order do you like them?"
answers = {{ ranking = ["Bus", "Tram", "Bike"] }}
{_REGIONS}""",
    "numbers": f"""
[[question]]
id = "hours"
text = "How many hours?"
answers = {{ integers = [0, 10] }}
[[question]]
id = "height"
text = "How tall?"
answers = {{ numbers = [100, 220], step = 0.5 }}
[[question]]
id = "normal"
text = "How many cups?"
answers = {{ integers = [0, 10] }}
mechanism = "discrete-gaussian"
{_REGIONS}""",
    "vectors": f"""
[[question]]
id = "body"
text = "Height and weight?"
answers = {{ moments = ["Height", "Weight"], norm = 2 }}
[[question]]
id = "point"
text = "Where?"
answers = {{ vector = ["X", "Y"], norm = 1 }}
{_REGIONS}""",
    "texts": f"""
[[question]]
id = "brand"
text = "Which brand?"
answers = {{ text = "a-z ", longest = 3, others = true }}
odds = 81
{_REGIONS}""",
    "panel": f"""{_WAVES}
[[question]]
id = "kept"
text = "Do you still?"
mechanism = "permanent-instantaneous"
odds = 9
[[question]]
id = "again"
text = "Which one now?"
answers = ["A", "B", "C"]
""",
    "counters": f"""{_WAVES}times = 2
[[question]]
id = "starts"
text = "How often was it started?"
answers = {{ integers = [0, 20] }}
mechanism = "one-bit-mean"
[[question]]
id = "files"
text = "How many files are open?"
answers = {{ integers = [0, 4] }}
mechanism = "d-bit-flip"
[[question]]
id = "pair"
text = "Where now?"
answers = {{ vector = ["X", "Y"], norm = 1 }}
odds = "3/2"
""",
}


@dataclass(frozen=True)
class Record:
    """What a store knows of a survey."""

    survey: Survey
    state: str = "open"
    reports: int = 1000


def survey_of(name: str) -> Survey:
    """Return one of the surveys."""
    return load_survey(_HEAD.replace("ID", name) + TEXTS[name], bytes(32))


def found(name: str) -> Results:
    """Return what its fixed tallies say."""
    survey = survey_of(name)
    cells = json.loads((FOLDER / "cells.json").read_text())[name]
    return results(Record(survey), [_cell(survey, *parts) for parts in cells])


def _cell(survey: Survey, question: str, day: int, stratum: list[int], some: Any) -> Cell:
    """Return a cell of counters: all of them, or by place those that are not 0."""
    counts = [0] * survey.question(question).mechanism.counters
    for place, count in some.items() if isinstance(some, dict) else enumerate(some):
        counts[int(place)] = count
    return Cell(survey.digest, question, DAYS[day], tuple(stratum), tuple(counts))


@contextmanager
def application() -> Iterator[Flask]:
    """Make an application that pages can be rendered in."""
    with tempfile.TemporaryDirectory() as folder:
        app = create_app(Config(data=Path(folder)))
        yield app
        app.extensions["tossup"].close()


def page(app: Flask, shown: Results, language: str) -> str:
    """Return the words of a results page, one piece of text a line."""
    stands = Standing(Record(shown.survey), DAYS[1], False)  # type: ignore[arg-type]
    with app.test_request_context():
        g.language = language
        html = render_template(
            "dashboard/_survey.html",
            results=shown,
            views=question_views(shown),
            standing=stands,
            ways=ways(shown, stands, DAYS[1]),
            query={},
            as_of="",
            people=None,
            at_least=None,
            days=None,
        )
    words = re.sub(r"<[^>]*>", "\n", re.sub(r"(?s)<(script|style).*?</\1>", "", html))
    return "\n".join(" ".join(line.split()) for line in unescape(words).split("\n") if line.strip())


def command_line(shown: Results, **options: Any) -> str:
    """Return what ``tossup estimate`` prints of a survey."""

    class Answering:
        def get(self, *_: object) -> dict[str, Any]:
            return json.loads(json.dumps(results_to_json(shown)))

    said: list[str] = []
    with (
        patch.object(cli_results, "emit", lambda _, text, **__: said.append(text)),
        patch.object(cli_results, "note", said.append),
        patch.object(cli_results, "fail_if_all_wait", lambda *_: None),
    ):
        cli_results.show_survey(
            Answering(), shown.survey.id, {}, as_json=False, **{"by": None, **options}
        )
    return "\n".join(said)


def all_seen(app: Flask, name: str) -> dict[str, str]:
    """Return all that users see of a survey, by the name of the file that it is frozen in."""
    shown = found(name)
    by = shown.survey.attributes[-1].id
    return {
        f"{name}.json": json.dumps(_rounded(results_to_json(shown)), indent=0) + "\n",
        f"{name}.csv": _rounded_csv(results_to_csv(shown)),
        **{f"{name}.{tag}.txt": page(app, shown, tag) + "\n" for tag in LANGUAGES},
        f"{name}.cli.txt": f"{command_line(shown, summary=True)}\n{command_line(shown, by=by)}\n",
        f"{name}.preview.txt": f"{preview(shown.survey)}\n",
        f"{name}.authoring.txt": _authoring(shown.survey) + "\n",
    }


def _authoring(survey: Survey) -> str:
    """Return the manifest of a survey file, what it takes, why so, and what it needs."""
    plans = [*for_margin(survey, 0.05), *for_respondents(survey, 1000)]
    kinds = [(question, kind_of(question)) for question in survey.questions]
    lines = [f"{question.id}: {kind.choices(question)}{kind.behind}" for question, kind in kinds]
    lines += [f"{question}: {why}" for question, why in reasons(survey).items()]
    lines += [json.dumps(_rounded(plan.to_json())) for plan in plans]
    return "\n".join([survey.payload.decode(), *lines])


def _rounded(value: object) -> object:
    """Return JSON with seven digits of each float: what a machine adds otherwise is no change."""
    if isinstance(value, float):
        return float(f"{value:.7g}") + 0.0 if abs(value) > 1e-12 else 0.0
    if isinstance(value, dict):
        return {name: _rounded(part) for name, part in value.items()}
    return [_rounded(part) for part in value] if isinstance(value, list | tuple) else value


def _rounded_csv(text: str) -> str:
    """Return CSV with seven digits of each float, in columns that are not all empty."""
    rows = list(csv.reader(StringIO(text)))
    kept = [at for at in range(len(rows[0])) if any(row[at] for row in rows[1:])]
    out = StringIO()
    csv.writer(out, lineterminator="\n").writerows(
        [str(_rounded(_as_float(row[at]))) for at in kept] for row in rows
    )
    return out.getvalue()


def _as_float(cell: str) -> object:
    return float(cell) if _FLOAT.fullmatch(cell) else cell


def write() -> None:
    """Write all that users see of every survey."""
    with application() as app:
        for name in TEXTS:
            for file, text in all_seen(app, name).items():
                (FOLDER / file).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write()
