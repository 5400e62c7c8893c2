"""Yes or no: questions without ``answers``."""

from collections.abc import Sequence
from fractions import Fraction
from typing import ClassVar

from tossup.server.kinds.base import Moved
from tossup.server.kinds.choice import Choice
from tossup.server.kinds.choosing import paper
from tossup.server.kinds.editing.forms import Form
from tossup.server.kinds.made_up.simulated import Found
from tossup.server.kinds.told.shares import YesTold
from tossup.shared.mechanisms import Mechanism, RandomizedResponse
from tossup.shared.mechanisms.base import Channel
from tossup.shared.survey import YES, Question


class YesNo(Choice):
    """A choice of two of which only yes is told; its share says both."""

    name = "yes_no"
    plural = "yes/no"
    answered_by = "yes-no"
    told = YesTold
    forms: ClassVar = (Form("yes_no"),)

    def answers(self, question: Question, language: str) -> list[tuple[str, str]]:  # noqa: ARG002
        """Return yes."""
        return [("yes", "")]

    def naming(self, mechanism: Mechanism) -> Sequence[Channel] | None:
        """Return that of yes."""
        found = super().naming(mechanism)
        return found and found[YES:]

    def moved(self, question: Question) -> Moved:  # noqa: ARG002
        """Return that yes gains or loses somebody."""
        return Moved(1, 1, 1, is_whole=True)

    def why(self, question: Question) -> str:
        """Return what a table from paper is and costs; no design is better than two coins."""
        mechanism = question.mechanism
        return paper.what_it_costs(mechanism) if isinstance(mechanism, RandomizedResponse) else ""

    def estimated(self, question: Question) -> tuple[str, None]:  # noqa: ARG002
        """Return that the share of yes is estimated."""
        return "share of yes", None

    def example_of_truth(self, question: Question) -> str:  # noqa: ARG002
        """Return a share of yes."""
        return "0.3"

    def _told(self, question: Question, shares: Sequence[Fraction]) -> dict[str, float]:
        return {question.id: float(shares[YES])}

    def _shown(self, found: list[Found]) -> list[Found]:
        return found[YES:]
