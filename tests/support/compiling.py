"""What every application of a process shares: templates and addresses, compiled once.

Compiling them takes longer than most tests do. Both depend on the code alone.
"""

from collections.abc import Callable, Iterator

import pytest
from flask import Flask
from jinja2.bccache import Bucket, BytecodeCache
from werkzeug.routing import Rule

_compile_builder = Rule._compile_builder
_builders: dict[tuple[object, ...], Callable[..., tuple[str, str]]] = {}


class Compiled(BytecodeCache):
    """Templates as compiled once."""

    def __init__(self) -> None:
        self._code: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Load a template that was compiled before."""
        if bucket.key in self._code:
            bucket.bytecode_from_string(self._code[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep a template."""
        self._code[bucket.key] = bucket.bytecode_to_string()


def builder(rule: Rule, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
    """Return the function that makes a rule's address, compiled for the first rule like it."""
    key = (rule.rule, *rule._trace, repr(rule.defaults), append_unknown)
    if key not in _builders:
        _builders[key] = _compile_builder(rule, append_unknown)
    return _builders[key]


@pytest.fixture(scope="session", autouse=True)
def compiled_once() -> Iterator[None]:
    """Compile no template and no address again for the next application."""
    with pytest.MonkeyPatch.context() as patch:
        options = {**Flask.jinja_options, "bytecode_cache": Compiled()}
        patch.setattr(Flask, "jinja_options", options)
        patch.setattr(Rule, "_compile_builder", builder)
        yield
