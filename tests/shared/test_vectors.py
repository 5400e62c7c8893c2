"""The shipped vectors hold, are complete, and are what their script writes."""

import importlib.util
import json
from pathlib import Path
from types import ModuleType

import pytest

from tossup.shared import signing, wire
from tossup.shared.kinds.text import FreeText
from tossup.shared.mechanisms import MECHANISMS, from_spec
from tossup.shared.survey import Option, Question, Survey


@pytest.fixture(scope="module")
def script() -> ModuleType:
    path = Path(__file__).with_name("make_vectors.py")
    spec = importlib.util.spec_from_file_location("make_vectors", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def read(script: ModuleType, stem: str) -> dict:
    return json.loads((script.FOLDER / f"{stem}.json").read_text(encoding="utf-8"))


def wide(case: dict) -> Question:
    """The question that a column vector is of."""
    text = {"en": "?"}
    options = tuple(Option(f"o{place}", text) for place in range(case["answers"]))
    return Question("wide", "wide", text, options, from_spec(case["mechanism"], case["answers"]))


def test_the_files_are_what_the_script_writes(script: ModuleType):
    """No vector changes without its script, and none is stale."""
    written = {
        path.stem: json.loads(path.read_text("utf-8")) for path in script.FOLDER.glob("*.json")
    }

    assert json.loads(json.dumps(script.vectors())) == written


@pytest.mark.parametrize("name", MECHANISMS)
def test_a_mechanism_replays_its_vectors(script: ModuleType, name: str):
    """Every mechanism has a file of its name; the same bytes give the same reports."""
    for design in read(script, name.replace("/", "-"))["designs"]:
        mechanism = from_spec(design["mechanism"], design["answers"])
        for data, reports in design["reports"].items():
            for answer, report in zip(design["tried"], reports, strict=True):
                made = mechanism.perturb(answer, script.recorded(bytes.fromhex(data)))
                assert report == script.written(mechanism, made)


def test_texts_have_their_numbers(script: ModuleType):
    """What was written has the same one form, and the same number, on every device."""
    for kind in read(script, "text")["kinds"]:
        texts = FreeText.from_json(kind["texts"])

        assert kind["numbers"] == {text: texts.place(text) for text in kind["numbers"]}


def test_the_wire_vectors_decode(script: ModuleType):
    """Manifest, batches and receipt of the vectors are read by this SDK."""
    vectors = read(script, "wire")
    key = signing.unb64url(vectors["publisher_key"])
    survey = Survey.parse(signing.verify_manifest(vectors["envelope"].encode(), key))
    for case in vectors["batches"]:
        batch = wire.decode_batch(case["body"].encode(), survey)
        assert case["columns"] == {name: list(column) for name, column in batch.columns.items()}
    for case in vectors["columns"]:
        reports = [int(report, 16) for report in case["reports"]]
        assert tuple(reports) == wire.unpack_column(wire.unb64(case["packed"]), 5, wide(case))
    receipt = wire.decode_receipt(vectors["receipt"]["body"].encode(), vectors["receipt"]["sent"])

    assert vectors["digest"] == survey.digest
    assert vectors["receipt"]["received"] == receipt.received
