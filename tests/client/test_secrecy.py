"""The truth goes nowhere: no file, no packet, no log, no traceback, no heavy import."""

import ast
import logging
import subprocess
import sys
import traceback
from dataclasses import replace
from pathlib import Path

import pytest
from sweeps import each

import tossup.client
import tossup.shared.mechanisms
from tossup.client import Client, Outcome, answering
from tossup.client.errors import ClientError
from tossup.shared.mechanisms import KaryRandomizedResponse
from tossup.shared.survey import Option

EXACT = {"comb", "gcd", "isqrt", "lcm"}
SENTINEL = "sentinel-7f3a9c"
PARTS = sorted(
    path
    for package in (tossup.client, tossup.shared.mechanisms)
    for path in Path(package.__path__[0]).rglob("*.py")
)


def _takes_integers_alone(node: ast.Import | ast.ImportFrom) -> bool:
    """Return whether all that is imported is exact: ``from math import isqrt``."""
    named = {alias.name for alias in node.names}
    return isinstance(node, ast.ImportFrom) and node.module == "math" and named <= EXACT


@each("path", PARTS)
def test_no_float_no_true_division_no_seed(path):
    """The device computes in integers and fractions, with the operating system's coins."""
    tree = ast.parse(path.read_text())
    imported = {
        name.split(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom) and not _takes_integers_alone(node)
        for name in [getattr(node, "module", None) or "", *(alias.name for alias in node.names)]
    }
    floats = [
        node.lineno
        for node in ast.walk(tree)
        if (isinstance(node, ast.Constant) and type(node.value) in (float, complex))
        or (isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div))
        or (isinstance(node, ast.Name) and node.id == "float")
    ]
    seeds = [
        node.lineno
        for node in ast.walk(tree)
        if (isinstance(node, ast.arg | ast.keyword) and "seed" in (node.arg or ""))
        or (isinstance(node, ast.Attribute) and "seed" in node.attr)
    ]

    assert imported & {"math", "cmath", "random", "numpy", "statistics"} == set()
    assert (floats, seeds) == ([], [])


def test_importing_the_sdk_loads_nothing_heavy():
    """A fresh interpreter that imports the SDK has no network, database or numbers library."""
    heavy = [
        "numpy",
        "flask",
        "marshmallow",
        "click",
        "ssl",
        "http",
        "sqlite3",
        "cryptography",
        "asyncio",
        "logging",
    ]
    code = f"import sys, tossup.client; print([m for m in {heavy!r} if m in sys.modules])"
    printed = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    ).stdout

    assert printed.strip() == "[]"


def test_the_public_names_are_what_they_are_said_to_be():
    """Every name in __all__ can be imported; nothing else can."""
    assert all(getattr(tossup.client, name) for name in tossup.client.__all__)
    with pytest.raises(AttributeError, match="nothing_like_it"):
        _ = tossup.client.nothing_like_it


@pytest.fixture
def told(survey, stub, publisher_key, store):
    """A client of a survey that has a telling answer among its options."""
    options = (
        Option(SENTINEL, {"en": "the telling one"}),
        *(Option(f"o{n}", {"en": f"{n}"}) for n in range(200)),
    )
    question = replace(
        survey.questions[1], options=options, mechanism=KaryRandomizedResponse(201, 2, 1)
    )
    telling = replace(survey, id="telling", questions=(question,), attributes=())
    stub.publish(telling, publisher_key)
    return Client(stub.link(telling), survey.publisher.key, store=store)


def test_the_truth_is_in_no_file_packet_log_or_output(told, stub, store, caplog, capfd):
    """What is written and sent about the answer is the same bytes but for the tossed option."""
    caplog.set_level(logging.DEBUG)
    told.survey()
    before = {path: path.read_bytes().count(SENTINEL.encode()) for path in store.parent.iterdir()}
    told.answer({"rating": SENTINEL})
    told.flush()
    told.status()
    stored = sum(path.read_bytes().count(SENTINEL.encode()) for path in store.parent.iterdir())
    sent = b"".join(body for method, _, _, body in stub.requests if method == "POST")

    # The manifest itself names every option once; the answer must add nothing to it.
    assert stored == sum(before.values())
    assert SENTINEL.encode() not in sent
    assert SENTINEL not in caplog.text + "".join(capfd.readouterr())


def broken_coins(monkeypatch) -> None:
    def fail():
        raise RuntimeError("no randomness")

    monkeypatch.setattr(answering, "Coins", fail)


@pytest.mark.parametrize("fault", ["answer", "coins", "store"])
def test_the_truth_is_in_no_traceback(survey, stub, store, told, monkeypatch, fault):
    """Even with the locals of every frame of ours, a strict error shows no answer."""
    told.survey()
    link, key = told._settings.link, survey.publisher.key
    strict = Client(f"{link.server}/v1/surveys/telling", key, store=store, strict=True)
    truth = "undeclared-5e11d0" if fault == "answer" else SENTINEL
    if fault == "coins":
        broken_coins(monkeypatch)
    if fault == "store":
        monkeypatch.setattr("tossup.client.store.database.connect", lambda path: 1 // 0)
    with pytest.raises(ClientError) as caught:
        strict.answer({"rating": truth})
    shown = traceback.TracebackException.from_exception(caught.value, capture_locals=True)
    ours = [frame for frame in shown.stack if "test_secrecy" not in frame.filename]
    text = repr(caught.value) + "".join(str(frame.locals) for frame in ours)

    assert (caught.value.__cause__, caught.value.__context__) == (None, None)
    assert "Client" in text
    assert truth not in text


def test_without_randomness_nothing_is_spent(told, monkeypatch):
    """If the system's random source fails, the ledger stays as it was."""
    told.survey()
    broken_coins(monkeypatch)

    assert told.answer({"rating": SENTINEL}) is Outcome.FAILED
    assert told.status().device.odds == 1


def test_nothing_here_reads_a_pseudo_random_generator(told, monkeypatch):
    """Answering works with the random module forbidden."""
    import random

    for name in ("random", "randrange", "getrandbits", "choice", "seed"):
        monkeypatch.setattr(random, name, lambda *_: pytest.fail("random was used"))

    assert told.answer({"rating": "o1"}) is Outcome.QUEUED


def test_what_answers_look_like_inside_cannot_be_printed():
    """The only object that holds validated answers hides them."""
    assert "1" not in repr(answering.Validated({"rating": 1}, {"region": 1}))
