"""The house keeps its two abstractions: what a mechanism or a kind of question is, it says itself.

Code outside of ``mechanisms/`` and ``kinds/`` that asks which class a mechanism or a kind is of has
to be found and changed whenever one is added. This test counts such code, and its number may only
become smaller.
"""

import ast
import importlib
import pkgutil
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tossup.shared import kinds, mechanisms
from tossup.shared.kinds.base import Domain
from tossup.shared.mechanisms import Mechanism

#: How many such tests there are. Make it smaller as they go; never larger.
MOST = 1

#: How many tests of the names of kinds there are, in code and in templates of pages.
MOST_NAMES = 2

ROOT = Path(__file__).parents[2]
ROOMS_OF_CLASSES = {"mechanisms", "kinds"}
ADVICE = (
    "give Mechanism (shared/tossup/shared/mechanisms/base.py) or the kinds a method that every"
    " class answers for itself, and call that instead of asking which class it is"
)


def test_code_outside_asks_no_class_which_it_is():
    """There are no more tests of classes than there were when `MOST` was set last."""
    names = _names_of_classes()
    found = Counter(
        str(path.relative_to(ROOT))
        for path in _product_files()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if _tests_a_class(node, names)
    )
    listed = "\n".join(f"{count:4} {path}" for path, count in found.most_common())

    assert found.total() <= MOST, f"{found.total()} tests of classes: {ADVICE}\n{listed}"


def test_code_outside_asks_no_kind_for_its_name():
    """A fact or a method of the kind answers; there are no more tests of names than there were."""
    known = {kind.kind for kind in _classes() if issubclass(kind, Domain) and "kind" in vars(kind)}
    found = Counter(
        str(path.relative_to(ROOT))
        for path in _product_files()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if _tests_a_name(node, known)
    )
    for path in sorted((ROOT / "server").glob("tossup/**/templates/**/*.html")):
        found[str(path.relative_to(ROOT))] = len(_NAMED.findall(path.read_text(encoding="utf-8")))
    listed = "\n".join(f"{count:4} {path}" for path, count in found.most_common() if count)

    assert {"yes_no", "choice", "several", "ranking", "number", "vector", "text"} <= known
    assert found.total() <= MOST_NAMES, f"{found.total()} tests of names: {ADVICE}\n{listed}"


#: Names of kinds that are names of columns and of parts of a line as well.
_OF_OTHERS = {"number", "text"}
_NAMED = re.compile(r"\bkind\s*(?:[!=]=|(?:not )?in\b)")


def _tests_a_name(node: ast.AST, known: set[str]) -> bool:
    """Return whether code compares a kind's name, looks something up by it, or looks for it."""
    match node:
        case ast.Compare(left=ast.Constant(value=str(key)), ops=[ast.In() | ast.NotIn()]) if (
            key in known - _OF_OTHERS
        ):
            return True
        case ast.Compare(left=left, comparators=others):
            sides = (left, *others)
            named = {each.value for side in sides for each in _constants(side)} & known
            return bool(named) and any(map(_is_name, sides))
        case ast.Match(subject=subject):
            return _is_name(subject)
        case ast.Call(func=ast.Attribute(attr="get"), args=[key, *_]):
            return _is_name(key)
    return False


def _is_name(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr in {"kind", "answer_kind"}


def _constants(node: ast.AST) -> list[ast.Constant]:
    return [each for each in ast.walk(node) if isinstance(each, ast.Constant)]


def _product_files() -> Iterator[Path]:
    for part in ("client", "server", "shared"):
        for path in sorted((ROOT / part).glob("tossup/**/*.py")):
            if not ROOMS_OF_CLASSES & set(path.relative_to(ROOT).parts):
                yield path


def _names_of_classes() -> set[str]:
    """Return the names of all mechanisms, their families, and kinds of question."""
    return {kind.__name__ for kind in _classes()}


def _classes() -> set[type]:
    """Return all mechanisms, their families, and kinds of question."""
    names = [
        module.name
        for room in (mechanisms, kinds)
        for module in pkgutil.walk_packages(room.__path__, f"{room.__name__}.")
    ]
    return {
        value
        for module in map(importlib.import_module, names)
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Mechanism | Domain)
    }


def _tests_a_class(node: ast.AST, names: set[str]) -> bool:
    """Return whether an expression or a pattern asks for one of these classes by its name."""
    match node:
        case ast.Call(func=ast.Name(id="isinstance" | "issubclass"), args=[_, kinds]):
            return _names_one(kinds, names)
        case ast.MatchClass(cls=kind):
            return _names_one(kind, names)
        case ast.Compare(ops=ops, left=left, comparators=others):
            identity = any(isinstance(op, ast.Is | ast.IsNot | ast.Eq | ast.NotEq) for op in ops)
            return identity and any(_is_one(side, names) for side in (left, *others))
        case ast.Dict(keys=keys):
            return any(key is not None and _is_one(key, names) for key in keys)
    return False


def _names_one(node: ast.AST, names: set[str]) -> bool:
    return any(_is_one(part, names) for part in ast.walk(node))


def _is_one(node: ast.AST, names: set[str]) -> bool:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name in names
    return False


def test_a_server_loads_nothing_that_only_planners_and_auditors_use():
    """Serving reports, results and pages needs no audit, plan, regression, account or command."""
    unused = ("accounting", "auditing", "cli", "demo", "estimation.regression", "planning")
    program = "import sys, tossup.server.web.serving.run; print(*sys.modules, sep='\\n')"
    loaded = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    ).stdout.split()

    assert "tossup.server.results" in loaded
    found = [
        name
        for name in loaded
        for room in unused
        if f"{name}.".startswith(f"tossup.server.{room}.")
    ]
    assert [] == found


def test_a_room_has_at_most_a_dozen_modules():
    """Beside its ``__init__.py``; a room that grows beyond is parted into rooms."""
    count = Counter(
        str(path.parent.relative_to(ROOT))
        for part in ("client", "server", "shared")
        for path in (ROOT / part).glob("tossup/**/*.py")
        if path.name != "__init__.py"
    )

    assert {} == {room: modules for room, modules in count.items() if modules > 12}
