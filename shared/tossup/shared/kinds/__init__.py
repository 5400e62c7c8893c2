"""What questions take: one class a file, found by its key in a manifest.

Stage: before the toss. In: what a manifest says of a question's answers. Out: the domain that
places them. Nothing here sees a coin's outcome, a file or the network. A class is imported when a
question is of its kind, so that a device loads those alone that it asks.
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


def of_options(ids: tuple[str, ...]) -> Domain:
    """Return the domain of a question that has no field for one: of its options, or yes and no."""
    if not ids:
        from tossup.shared.kinds.yes_no import YesNo

        return YesNo()
    from tossup.shared.kinds.choice import Choice

    return Choice(ids)
