"""Every kind of domain that this version knows, by its key in a manifest.

A domain is imported when a manifest has one, so that a device loads those alone that it asks.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Final

from tossup.shared.kinds.base import Domain

Reader = Callable[[object, tuple[str, ...]], Domain]


def _of(where: str, **known: bool) -> Reader:
    """Return a reader of the domain at ``module:class``, which knows this from the key alone."""

    def read(value: object, options: tuple[str, ...]) -> Domain:
        module, kind = where.split(":")
        found = getattr(import_module(f"tossup.shared.kinds.{module}"), kind)
        domain: Domain = found.from_json(value, options, **known)
        return domain

    return read


#: Makes a domain of what a manifest says, and of the ids of the question's options.
#: Raises WireError or ManifestError if that is not exactly what ``to_json`` writes.
FROM_JSON: Final[Mapping[str, Reader]] = {
    "integers": _of("number:Grid", whole=True),
    "numbers": _of("number:Grid", whole=False),
    "vector": _of("vector:VectorAnswer", moments=False),
    "moments": _of("vector:VectorAnswer", moments=True),
    "ranking": _of("ranking:Ranking"),
    "texts": _of("text:FreeText"),
    "several": _of("several:Several"),
}
