"""Every kind of domain that this version knows, by its key in a manifest."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from tossup.shared.domain import Domain
from tossup.shared.grid import Grid
from tossup.shared.ranking import Ranking
from tossup.shared.several import Several
from tossup.shared.text import FreeText
from tossup.shared.vector import VectorAnswer

#: Makes a domain of what a manifest says, and of the ids of the question's options.
#: Raises WireError or ManifestError if that is not exactly what ``to_json`` writes.
FROM_JSON: Final[Mapping[str, Callable[[object, tuple[str, ...]], Domain]]] = {
    "integers": partial(Grid.from_json, whole=True),
    "numbers": partial(Grid.from_json, whole=False),
    "vector": partial(VectorAnswer.from_json, moments=False),
    "moments": partial(VectorAnswer.from_json, moments=True),
    "ranking": Ranking.from_json,
    "texts": FreeText.from_json,
    "several": Several.from_json,
}
