"""Drafts of surveys, kept with everything else: what was saved survives a crash.

Stage: authoring. A draft is the text of a survey file; rules about it live above.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from tossup.shared.errors import TossupError

_SELECT: Final = "SELECT number, text, trial, edited_on, revision, published FROM drafts"


class DraftUnknown(TossupError):  # noqa: N818 - reads as the condition, like SurveyUnknown
    """No draft has this number."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A survey that is being written.

    Attributes
    ----------
    number
        Its name among drafts.
    text
        The survey file.
    trial
        The secret in the address where the draft can be tried.
    edited
        The day it was last saved.
    revision
        Grows with every change, so that nobody overwrites what they have not seen.
    published
        The digest of the manifest that it became; None for a draft still.
    """

    number: int
    text: str
    trial: str
    edited: date
    revision: int
    published: str | None


class Drafts:
    """The part of a store that keeps drafts, in a table."""

    _rows: Callable[..., list[Any]]
    _change: Callable[..., list[Any]]
    today: Callable[[], date]

    def add_draft(self, text: str, trial: str) -> Draft:
        """Keep a new draft."""
        day = self.today().isoformat()
        rows = self._change(
            "INSERT INTO drafts (text, trial, edited_on) VALUES (?, ?, ?) RETURNING number",
            text,
            trial,
            day,
        )
        return self.draft(rows[0][0])

    def drafts(self) -> list[Draft]:
        """Return all drafts, published ones too, oldest first."""
        return [*map(_draft_of, self._rows(f"{_SELECT} ORDER BY number"))]

    def draft(self, number: int) -> Draft:
        """Return a draft.

        Raises
        ------
        DraftUnknown
            If there is none with this number.
        """
        rows = self._rows(f"{_SELECT} WHERE number = ?", number)
        if not rows:
            raise DraftUnknown("no draft has this number; it may have been deleted")
        return _draft_of(rows[0])

    def save_draft(self, number: int, text: str, revision: int) -> bool:
        """Change a draft's text, durably; return whether it still was this revision."""
        return bool(
            self._change(
                "UPDATE drafts SET text = ?, edited_on = ?, revision = revision + 1"
                " WHERE number = ? AND revision = ? AND published IS NULL RETURNING 1",
                text,
                self.today().isoformat(),
                number,
                revision,
            )
        )

    def end_draft(self, number: int, published: str | None) -> None:
        """Note what a draft was published as; delete it if it was not."""
        if published is None:
            self._change("DELETE FROM drafts WHERE number = ?", number)
        else:
            self._change("UPDATE drafts SET published = ? WHERE number = ?", published, number)


def _draft_of(row: tuple[int, str, str, str, int, str | None]) -> Draft:
    number, text, trial, edited_on, revision, published = row
    return Draft(number, text, trial, date.fromisoformat(edited_on), revision, published)
