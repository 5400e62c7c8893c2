"""Yes or no: the answers of a question that names none."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from tossup.shared.coins import Coins
from tossup.shared.kinds.base import Domain, Place
from tossup.shared.mechanisms.base import Mechanism

_TYPED: Final[Mapping[str, bool]] = {
    "y": True, "yes": True, "是": True, "n": False, "no": False, "否": False,
}  # fmt: skip


@dataclass(frozen=True)
class YesNo(Domain):
    """No and yes, which mechanisms number 0 and 1.

    Examples
    --------
    >>> YesNo().place(True), YesNo().place("yes")
    (1, None)
    """

    kind = "yes_no"
    is_yes_no = True

    @property
    def answer_ids(self) -> tuple[str, ...]:
        """``no`` and ``yes``."""
        return ("no", "yes")

    @property
    def answers(self) -> int:
        """Two."""
        return 2

    @property
    def takes(self) -> str:
        """A bool."""
        return "True or False"

    @property
    def example(self) -> str:
        """One of two words."""
        return "one of: no, yes"

    def fits(self, mechanism: Mechanism) -> bool:
        """Return whether a mechanism is for answers of which one is given."""
        return mechanism.answer_kind == "choice"

    def place(self, answer: object) -> int | None:
        """Return 0 for False and 1 for True; None for anything else."""
        return int(answer) if type(answer) is bool else None

    def index(self, place: Place, mechanism: Mechanism, coins: Coins) -> int:  # noqa: ARG002
        """Return the place itself, which needs no coin."""
        if type(place) is not int:
            raise TypeError("yes or no is answered by 0 or 1")
        return place

    def read(self, text: str) -> bool | None:
        """Return True for ``yes`` and False for ``no``; None for anything else."""
        return {"yes": True, "no": False}.get(text)

    @property
    def hint(self) -> str:
        """One letter."""
        return "y or n"

    def typed(self, text: str, option: Callable[[str], str | None]) -> bool | None:  # noqa: ARG002
        """Return a truth value for a word or its first letter, in English or Chinese."""
        return _TYPED.get(text.lower())
