"""Results pages made before anyone asks: the first visitor after a start waits no longer.

Stage: results to page, once, before the server listens. What is costly is left to be made aside,
when it is asked for.
"""

import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from flask import Flask

from tossup.server.store.records import SurveyRecord
from tossup.server.web.answers import is_dear
from tossup.server.web.pages.asking import page
from tossup.server.web.pages.words.language import LANGUAGES
from tossup.server.web.services import services

#: Seconds of a processor after which no further page is begun.
_ENOUGH_SECONDS: Final = 0.5


def prepare(app: Flask) -> None:
    """Make the pages of surveys as readers find them, those with the most reports first.

    A page that cannot be made, or a survey that is damaged, keeps no server from starting: whoever
    asks for it is told why.
    """
    end = time.process_time() + _ENOUGH_SECONDS
    store = app.extensions["tossup"].store
    records: list[SurveyRecord] = []
    for survey_id in store.survey_ids():
        with suppress(Exception):
            records.append(store.survey(survey_id))
    for record, language in _pages(records):
        if time.process_time() >= end:
            return
        address, headers = f"/surveys/{record.survey.id}", {"Accept-Language": language}
        with app.test_request_context(address, headers=headers), suppress(Exception):
            if not is_dear("survey-page", services().store, record):
                page("survey", record, "survey-page")


def _pages(records: list[SurveyRecord]) -> Iterator[tuple[SurveyRecord, str]]:
    for record in sorted(records, key=lambda record: -record.reports):
        if record.reports:
            yield from ((record, tag) for tag in LANGUAGES if tag in record.survey.languages)
