"""What a mechanism says of its reports, in exact chances: for previews, pages and receipts.

The module that shows it has the words, in any language, by the name of the sentence.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

#: ``report``: one of many is sent, and each may be, whatever the answer is. ``answers``: every
#: answer sends every other with its chance; ``scores``: so, and nearer ones are likelier.
#: ``option``: an option is named or not. ``ticks``: so is each that is asked. ``cards``: so many
#: are red. ``ranks``: an option is sent by its rank. ``statements``: one of two is told of.
Sentence = Literal["report", "answers", "scores", "option", "ticks", "cards", "ranks", "statements"]


@dataclass(frozen=True, slots=True)
class Stated:
    """The facts of one sentence.

    Attributes
    ----------
    sentence
        Which one.
    chances
        ``chances[answer][report]``; of ``option`` and ``ticks`` those of one option: rows "not the
        answer" and "the answer", columns "not named" and "named".
    rates
        The few chances that the sentence names by themselves. Of ``cards``: a red one if no and
        if yes. Of ``ranks``: that of each rank, the best first. Of ``statements``: about the one
        that was drawn, about the other, a forced yes.
    numbers
        ``cards`` that are drawn; ``options`` that there are, may be ticked at ``most``, and are
        ``asked``.
    names_several
        Whether a report may name several options, or none.
    """

    sentence: Sentence
    chances: tuple[tuple[Fraction, ...], ...] = ()
    rates: tuple[Fraction, ...] = ()
    numbers: Mapping[str, int] = field(default_factory=dict)
    names_several: bool = False
