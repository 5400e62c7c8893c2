"""Which view an audit takes of which mechanism, where reports are too many to count each."""

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, cast

from tossup.server.auditing.events import View
from tossup.server.auditing.viewing.components import view_components
from tossup.server.auditing.viewing.options import names_options, view_options
from tossup.server.auditing.viewing.sets import view_sets
from tossup.server.auditing.viewing.tables import view_table
from tossup.server.auditing.viewing.texts import view_texts
from tossup.shared.mechanisms import (
    Mechanism,
    PrefixExtending,
    SeveralMechanism,
    VectorMechanism,
)

if TYPE_CHECKING:
    from tossup.shared.mechanisms import FrequencyOracle

#: By the kind of a mechanism that names no options; any other has an exact probability for every
#: report.
_VIEWS: Final[tuple[tuple[type[Mechanism], Callable[[Any], View]], ...]] = (
    (SeveralMechanism, view_sets),
    (PrefixExtending, view_texts),
    (VectorMechanism, view_components),
    (Mechanism, view_table),
)


@lru_cache(maxsize=4)  # an audit asks how many trials are thorough first
def view_of(mechanism: Mechanism) -> View:
    """Return what an audit looks at in the reports of a mechanism.

    Raises
    ------
    MechanismError
        If this version knows no events of it and their probabilities.
    """
    if names_options(mechanism):
        return view_options(cast("FrequencyOracle", mechanism))
    return next(make(mechanism) for kind, make in _VIEWS if isinstance(mechanism, kind))
