"""The values of stored rows, from the row and the parsed manifest that it belongs to."""

from datetime import date

from tossup.server.store.envelopes import unverified_payload
from tossup.server.store.records import ManifestDamaged, State, SurveyRecord
from tossup.shared.errors import ManifestError
from tossup.shared.survey import Survey

#: closed_on, expired_on, reports, revision, digest, envelope
SurveyRow = tuple[str | None, str | None, int, int, str, bytes]


class ParsedManifests:
    """Manifests by digest, parsed once. A digest names one manifest for ever."""

    def __init__(self) -> None:
        self._surveys: dict[str, Survey] = {}

    def known(self, digest: str) -> Survey | None:
        """Return the manifest if it was parsed before."""
        return self._surveys.get(digest)

    def survey(self, digest: str, envelope: bytes) -> Survey:
        """Return the manifest in an envelope that was verified before it was stored.

        Raises
        ------
        ManifestDamaged
            If it is not what was verified.
        """
        found = self._surveys.get(digest)
        if found is None:
            try:
                found = Survey.parse(unverified_payload(bytes(envelope)))
            except ManifestError:
                found = None
            if found is None or found.digest != digest:
                raise ManifestDamaged(f"the stored manifest {digest} is damaged; restore a backup")
            self._surveys[digest] = found
        return found

    def record(self, row: SurveyRow, day: date) -> SurveyRecord:
        """Return the record of a survey's row, as it stands on a day."""
        closed_on, expired_on, reports, revision, digest, envelope = row
        survey = self.survey(digest, envelope)
        # It stays closed, even if the clock is set back to a day on which it was open.
        ended = closed_on is not None or expired_on is not None
        state = state_on(day, survey, closed_by_hand=ended)
        ends = [survey.counts_until, date.fromisoformat(closed_on) if closed_on else None]
        return SurveyRecord(
            survey=survey,
            envelope=bytes(envelope),
            closed=closed_on is not None,
            state=state,
            reports=reports,
            revision=revision,
            ended=min(end for end in ends if end) if state == "closed" else None,
            expired=expired_on is not None,
        )


def state_on(day: date, survey: Survey, *, closed_by_hand: bool) -> State:
    """Return a survey's state on a day; its first and last day are both open.

    A survey that is closed by hand is closed at once, for late reports too.
    """
    late = survey.days_since_close(day)
    if closed_by_hand or late > survey.late_days:
        return "closed"
    if survey.days_until_open(day):
        return "not-open"
    return "closing" if late else "open"


def radix_digits(stratum: int, survey: Survey) -> tuple[int, ...]:
    """Return the option index of every attribute for a stratum's number.

    The last attribute counts in ones.
    """
    digits: list[int] = []
    for attribute in reversed(survey.attributes):
        stratum, digit = divmod(stratum, len(attribute.options))
        digits.append(digit)
    return tuple(reversed(digits))
