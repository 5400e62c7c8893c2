"""Questions with several answers: ``{several = ["a", "b", "c"], most = 2}``."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tossup.server.kinds.base import Wanted
from tossup.server.kinds.choosing import several as several_designs
from tossup.shared.errors import ManifestError
from tossup.shared.kinds.base import Domain
from tossup.shared.kinds.several import Several
from tossup.shared.mechanisms import SetMechanism


@dataclass(frozen=True, slots=True)
class SeveralAnswers:
    """Labels of the options, if not in option tables, and how many one may tick.

    ``most`` is None for all of them.
    """

    labels: Sequence[str]
    most: int | None

    def domain(self, options: tuple[str, ...]) -> Several:
        """Return the domain of these options.

        Raises
        ------
        ManifestError
            If there are none, too many, or fewer than one may tick.
        """
        if not options:
            raise ManifestError("has no options to tick; name them after several, or in tables")
        return Several(options, len(options) if self.most is None else self.most)

    def mechanism(self, domain: Domain, wanted: Wanted) -> SetMechanism:
        """Return the named design, or the one of least variance."""
        if not isinstance(domain, Several):
            raise TypeError("several options are ticked of a question's own")
        shape = len(domain.options), domain.most
        return several_designs.for_several(*shape, wanted.mechanism, wanted.odds, wanted.selected)


def read_several(value: Mapping[str, Any]) -> SeveralAnswers | None:
    """Return several labels, or ``true`` for option tables; None if the table says neither."""
    match value:
        case {"several": labels, **rest} if set(rest) <= {"most"}:
            most = rest.get("most")
            if "most" in rest and type(most) is not int:
                return None
            if labels is True:
                return SeveralAnswers((), most)
            if isinstance(labels, list) and all(isinstance(label, str) for label in labels):
                return SeveralAnswers(tuple(labels), most)
    return None
