"""How a kind of question is asked by an editor: fields, and where they stand in ``answers``.

Stage: authoring. A form and a survey file are two writings of one thing, and each kind says for
itself how the one becomes the other.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final, Literal

#: What stands in a field: always a text, as people type it.
Typed = Mapping[str, str]

_WHOLE: Final = re.compile(r"[+-]?(0|[1-9][0-9]{0,17})")
_DECIMAL: Final = re.compile(r"[+-]?(0|[1-9][0-9]{0,17})\.[0-9]{1,18}")


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a form.

    Attributes
    ----------
    name
        Its name, from which its words are found.
    at
        Where its value stands in the table ``answers``: a key, and a place in a list there.
    sort
        ``"number"`` or ``"numbers"`` with commas, ``"text"``, or ``"flag"`` for on and off.
    is_needed
        Whether a table without it says nothing.
    planned
        What a planner fills in, who has no survey yet; nothing where it may stay empty.
    """

    name: str
    at: tuple[str, int] | tuple[str]
    sort: Literal["number", "numbers", "text", "flag"] = "number"
    is_needed: bool = True
    planned: str = ""


@dataclass(frozen=True, slots=True)
class Form:
    """One way to ask a kind.

    Attributes
    ----------
    name
        Tells it from the forms of all kinds.
    fields
        Its fields, in their order.
    labels
        The key under which its labels stand; empty where they are all that ``answers`` says, and
        None where answers have no labels.
    """

    name: str
    fields: tuple[Field, ...] = ()
    labels: str | None = None

    def read(self, answers: Any, *, has_tables: bool) -> tuple[Typed, Sequence[str]] | None:
        """Return what the fields hold, and the labels that stand in ``answers``.

        None if another form, or none, says the same.

        Parameters
        ----------
        answers
            The key's value in a survey file; None without the key.
        has_tables
            Whether the options stand in tables of their own.
        """
        if self.labels == "" and answers is None and has_tables:
            return {}, ()
        table, labels = self._labels(answers, has_tables=has_tables)
        if labels is None:
            return None
        typed = {}
        for field in self.fields:
            value = _taken(table, field)
            if value is None and field.is_needed:
                return None
            typed[field.name] = _as_typed(value)
        return None if any(map(_is_left, table.values())) else (typed, labels)

    def write(self, typed: Typed, labels: Sequence[str], *, has_tables: bool) -> Any:
        """Return what ``answers`` says in a survey file; None to leave the key out."""
        if self.labels == "":
            return None if has_tables else list(labels)
        table: dict[str, Any] = {}
        if self.labels is not None:
            table[self.labels] = True if has_tables else list(labels)
        for field in self.fields:
            _put(table, field, _from_typed(typed.get(field.name, ""), field))
        return table or None

    def _labels(
        self, answers: Any, *, has_tables: bool
    ) -> tuple[dict[str, Any], Sequence[str] | None]:
        """Return the table without its labels, and these; None if they are not of this form."""
        if self.labels == "":
            return {}, answers if not has_tables and is_labels(answers) else None
        if self.labels is None:
            fits = isinstance(answers, Mapping) if self.fields else answers is None
            return _copied(answers), () if fits and not has_tables else None
        table = _copied(answers)
        labels = table.pop(self.labels, None)
        if has_tables:
            return table, () if labels is True else None
        return table, labels if is_labels(labels) else None


def value_of(typed: str) -> int | Decimal | str:
    """Return what a survey file writes for a number as it is typed; a text if it is none.

    >>> value_of("3"), value_of("0.5"), value_of("5/2")
    (3, Decimal('0.5'), '5/2')
    """
    text = typed.strip()
    if _WHOLE.fullmatch(text):
        return int(text)
    return Decimal(text) if _DECIMAL.fullmatch(text) else text


def is_labels(value: Any) -> bool:
    """Return whether it is a list of texts."""
    return isinstance(value, list) and all(isinstance(label, str) for label in value)


def _copied(answers: Any) -> dict[str, Any]:
    """Return a table whose lists may be taken apart; an empty one for what is no table."""
    table = answers if isinstance(answers, Mapping) else {}
    return {key: [*value] if isinstance(value, list) else value for key, value in table.items()}


def _taken(table: dict[str, Any], field: Field) -> Any:
    """Take the value of a field out of a table; None if there is none."""
    match field.at, table.get(field.at[0]):
        case (_, place), list(values) if place < len(values):
            value, values[place] = values[place], None
            return value
        case (key,), value if value is not None:
            return table.pop(key)
    return None


def _put(table: dict[str, Any], field: Field, value: Any) -> None:
    if len(field.at) > 1:
        table.setdefault(field.at[0], []).append("" if value is None else value)
    elif value is not None or field.is_needed:
        table[field.at[0]] = "" if value is None else value


def _is_left(value: Any) -> bool:
    """Return whether a value was not taken: all parts of one that was are None."""
    return not isinstance(value, list) or any(part is not None for part in value)


def _as_typed(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else ""
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return "" if value is None else str(value)


def _from_typed(typed: str, field: Field) -> Any:
    """Return the value of a file for what a field holds; None for nothing."""
    if not typed.strip() and field.sort != "text":
        return None
    match field.sort:
        case "flag":
            return True
        case "numbers":
            return [value_of(part) for part in typed.split(",")]
        case "text":
            return typed or None
    return value_of(typed)
