"""Print what `tossup.server.estimation` and the sizes of samples offer, as Markdown.

From the docstrings themselves.

``make fix`` writes it to docs/reference/estimation.md; a test fails when the two differ.
"""

import inspect
from collections import defaultdict
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import get_origin

from tossup.server import estimation
from tossup.server.planning import sample_size

TARGET = Path(__file__).with_name("estimation.md")

INTRODUCTION = """\
# Estimation in Python

All names are those of `tossup.server.estimation`.
Their docstrings have formulas, sources, and examples that run.
How they go together: [analyse reports](../how-to/analyse-reports.md).
Whatever cannot be estimated raises an `EstimationError`.
This page is made from the docstrings.
"""

SIZES = """\
## How many must answer

From `tossup.server.planning.sample_size`; `tossup plan` says the same.
A design is one of the above, a mechanism or a name.
For several, give pairs of a part of the respondents and a design.

| | |
| --- | --- |"""


def reference() -> str:
    """Return the page."""
    return "\n".join([INTRODUCTION, *sections(), *sizes()])


def sections() -> Iterator[str]:
    """Yield a section for each module, in the order of their names."""
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
    public = [
        (name, value)
        for name, value in vars(sample_size).items()
        if inspect.isfunction(value)
        and value.__module__ == sample_size.__name__
        and not name.startswith("_")
    ]
    for name, function in sorted(public):
        arguments = ", ".join(inspect.signature(function).parameters)
        yield f"| `{name}({arguments})` | {what(function)} |"
    yield ""


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
    TARGET.write_text(f"{reference()}", "utf-8")
