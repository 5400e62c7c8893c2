"""A sealed survey, put together from the tallies of its files: all that results need."""

from collections.abc import Sequence
from dataclasses import dataclass

from tossup.server.archives.errors import ArchiveError
from tossup.server.archives.files import FileTally
from tossup.server.store.tally import Cell
from tossup.shared.survey import Survey


@dataclass(frozen=True, slots=True)
class SealedSurvey:
    """What files say of one survey.

    Attributes
    ----------
    survey
        The newest version that any report answers.
    versions
        All versions that reports answer, oldest first.
    cells
        The cells of all files.
    """

    survey: Survey
    versions: tuple[Survey, ...]
    cells: tuple[Cell, ...]

    @property
    def state(self) -> str:
        """It takes no more reports."""
        return "closed"

    @classmethod
    def of(cls, found: Sequence[FileTally]) -> "SealedSurvey":
        """Return the survey of some files.

        Raises
        ------
        ArchiveError
            If they are of more than one survey, or of more than one sealing.
        """
        by_digest = {tally.footer.survey.digest: tally.footer.survey for tally in found}
        ids = sorted({survey.id for survey in by_digest.values()})
        keys = {survey.publisher.key for survey in by_digest.values()}
        if len(ids) > 1 or len(keys) > 1:
            raise ArchiveError(
                f"the files are of different surveys ({', '.join(ids)}); name those of one"
            )
        sealings = {tally.footer.sealed for tally in found}
        if len(sealings) > 1 or sum(tally.footer.n for tally in found) > max(sealings):
            raise ArchiveError(
                f"some files of {ids[0]} were sealed at another time than others, and a report may"
                " be in both; name those of one sealing"
            )
        versions = sorted(by_digest.values(), key=lambda survey: survey.version)
        cells = tuple(cell for tally in found for cell in tally.cells())
        return cls(versions[-1], tuple(versions), cells)
