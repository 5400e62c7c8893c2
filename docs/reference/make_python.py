"""Print what the Python packages offer, as Markdown, from the docstrings themselves.

``make fix`` writes it to docs/reference/estimation.md and docs/reference/python.md; a test fails
when they differ.
"""

import inspect
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Final, Protocol, get_origin

from tossup.server import estimation
from tossup.server.planning import sample_size

FOLDER = Path(__file__).parent

ESTIMATION: Final = """\
# Estimation in Python

All names are those of `tossup.server.estimation`.
Their docstrings have formulas, sources, and examples that run.
How they go together: [analyse reports](../how-to/analyse-reports.md).
Whatever cannot be estimated raises an `EstimationError`.
This page is made from the docstrings.
"""

SIZES: Final = """\
## How many must answer

From `tossup.server.planning.sample_size`; `tossup plan` says the same.
A design is one of the above, a mechanism or a name.
For several, give pairs of a part of the respondents and a design.

| | |
| --- | --- |"""

PYTHON: Final = """\
# Client and shared in Python

The packages `tossup.client` and `tossup.shared`, which the distribution `tossup` installs.
An app needs `tossup.client` alone, whose [reference](sdk.md) has every setting, outcome and reason.
`tossup.shared` is what device and server must agree on; an SDK in another language does the same.
The docstrings have parameters, formulas, sources, and examples that run: `help(name)` shows them.
Estimates are on [a page of their own](estimation.md).
This page is made from the docstrings.
"""

#: Modules of the device, and of what both sides agree on, in the order of the road.
MODULES: Final = (
    "tossup.client",
    "tossup.client.errors",
    "tossup.client.testing",
    "tossup.shared.survey",
    "tossup.shared.signing",
    "tossup.shared.waves",
    "tossup.shared.kinds",
    "tossup.shared.kinds.base",
    "tossup.shared.kinds.yes_no",
    "tossup.shared.kinds.choice",
    "tossup.shared.kinds.several",
    "tossup.shared.kinds.ranking",
    "tossup.shared.kinds.number",
    "tossup.shared.kinds.vector",
    "tossup.shared.kinds.text",
    "tossup.shared.mechanisms",
    "tossup.shared.coins",
    "tossup.shared.odds",
    "tossup.shared.mechanisms.binary.majority",
    "tossup.shared.wire",
    "tossup.shared.strict_json",
    "tossup.shared.errors",
)

#: Classes whose methods are those of everything that is derived from them.
BASES: Final = ("Mechanism", "Domain")


def references() -> dict[str, str]:
    """Return the pages by the names of their files."""
    return {
        "estimation.md": "\n".join([ESTIMATION, *sections(), *sizes()]),
        "python.md": "\n".join([PYTHON, *modules()]),
    }


def sections() -> Iterator[str]:
    """Yield a section for each module of estimation, in the order of their names."""
    homes = defaultdict(list)
    for name in estimation.__all__:
        homes[home(getattr(estimation, name))].append(name)
    for module in sorted(homes):
        yield f"## {first_line(import_module(module)).rstrip('.')}\n"
        yield "| | |\n| --- | --- |"
        for name in sorted(homes[module], key=str.lower):
            yield f"| `{name}` | {what(getattr(estimation, name))} |"
        yield ""


def sizes() -> Iterator[str]:
    """Yield the section of what plans a sample."""
    yield SIZES
    for name, function in sorted(public(sample_size).items()):
        yield f"| `{name}{arguments(function)}` | {what(function)} |"
    yield ""


def modules() -> Iterator[str]:
    """Yield a section for each module of client and shared."""
    for name in MODULES:
        module = import_module(name)
        yield f"## `{name}`\n\n{first_line(module)}\n"
        yield "| | | raises |\n| --- | --- | --- |"
        for own, value in public(module).items():
            yield from rows(own, value)
        yield ""


def rows(name: str, value: object) -> Iterator[str]:
    """Yield the row of a public name, and of a class one for each call that is its own."""
    if not isinstance(value, type) or issubclass(value, Enum | BaseException):
        yield row(
            f"{name}{arguments(value)}"
            if hasattr(value, "__wrapped__") or inspect.isroutine(value)
            else name,
            value,
        )
        return
    is_made = not inspect.isabstract(value) and Protocol not in value.__bases__
    yield row(f"{name}{arguments(value)}" if is_made else name, value)
    if derived(value):
        return
    for own, member in vars(value).items():
        call = member.__func__ if isinstance(member, classmethod | staticmethod) else member
        if own.startswith("_") or not (callable(call) or isinstance(call, property)):
            continue
        shown = "" if isinstance(call, property) else arguments(call)
        yield row(f"{name}.{own}{shown}", call)


def row(shown: str, value: object) -> str:
    """Return a row: the name, what it is, and which errors its docstring names."""
    return f"| `{shown}` | {what(value)} | {raised(value)} |"


def derived(value: type) -> bool:
    """Return whether a class has the calls of a base that is listed with them."""
    return any(base.__name__ in BASES for base in value.__mro__[1:])


def arguments(function: Callable[..., object]) -> str:
    """Return the arguments of a function as it is called: their names, and defaults as such."""
    given = []
    for name, parameter in inspect.signature(function).parameters.items():
        if name in {"self", "cls"}:
            continue
        keyword = parameter.kind is parameter.KEYWORD_ONLY
        left_out = parameter.default is not parameter.empty
        given.append(f"{name}=..." if keyword or left_out else name)
    return f"({', '.join(given)})"


def raised(value: object) -> str:
    """Return the errors that a docstring lists under Raises."""
    text = inspect.getdoc(value) or ""
    if isinstance(value, type) or "\nRaises\n------\n" not in text:
        return ""
    section = text.partition("\nRaises\n------\n")[2]
    section = re.split(r"\n\w[\w ]*\n-+\n", section)[0]
    names = re.findall(r"^[A-Z]\w+(?:, [A-Z]\w+)*$", section, re.M)
    return ", ".join(f"`{name}`" for name in ", ".join(names).split(", ") if name)


def public(module: ModuleType) -> Mapping[str, object]:
    """Return what a module offers: its `__all__`, else its own functions and classes."""
    if hasattr(module, "__all__"):
        return {name: getattr(module, name) for name in sorted(module.__all__, key=str.lower)}
    return {
        name: value
        for name, value in vars(module).items()
        if callable(value)
        and getattr(value, "__module__", "") == module.__name__
        and not name.startswith("_")
    }


def home(value: object) -> str:
    """Return the module that a public name is defined in; a package of ours as a whole."""
    module = getattr(value, "__module__", "typing")
    if get_origin(value) is not None:
        module = "tossup.server.estimation.shares.share"
    package = "tossup.server.estimation.regression"
    return package if module.startswith(package) else module


def what(value: object) -> str:
    """Return what a name is, in a sentence."""
    if get_origin(value) is not None:
        return "The methods of a share's interval."
    return first_line(value)


def first_line(value: object) -> str:
    """Return the first line of a docstring, fit for a table's cell."""
    text = inspect.getdoc(value) or ""
    return text.partition("\n")[0].replace("``", "`").replace("|", "\\|")


if __name__ == "__main__":
    for file, text in references().items():
        FOLDER.joinpath(file).write_text(text, "utf-8")
