"""Surveys that ask again: from the file over the road to shares by wave and honest changes."""

import csv
import json
import secrets
from dataclasses import dataclass, replace
from datetime import date, timedelta
from fractions import Fraction
from io import StringIO
from itertools import product

import numpy as np
import pytest
from click.testing import CliRunner
from in_process import InProcess, serving
from sweeps import each, proving

from tossup.client import Client, Outcome
from tossup.server.cli.reading.waves import waves_as_text
from tossup.server.cli.root import root
from tossup.server.estimation import estimate_share, estimate_yes
from tossup.server.estimation.comparing.change import change, overlap
from tossup.server.ingest.recount import recount
from tossup.server.kinds.told.answer import AnswerEstimate
from tossup.server.results import FilterError, results, results_to_csv, results_to_json
from tossup.server.store.tally import Cell
from tossup.server.surveys.costs import survey_cost
from tossup.server.surveys.file import TooCostlyError, load_survey
from tossup.server.surveys.lifecycle import publish
from tossup.server.surveys.reading.tables import SurveyFileError
from tossup.server.surveys.verification import UnderstatedError, verify
from tossup.server.web.app import create_app
from tossup.shared import strict_json
from tossup.shared.kinds.number import Grid
from tossup.shared.mechanisms import (
    DiscreteGaussian,
    PermanentInstantaneous,
    RandomizedResponse,
    Rappor,
    TruncatedGeometric,
    TwoCoin,
)
from tossup.shared.signing import sign_manifest
from tossup.shared.survey import Attribute, Option, Question, Survey
from tossup.shared.waves import Waves
from tossup.shared.wire import REPORTS_TYPE, Batch, encode_batch

MONDAY = date(2027, 1, 4)
KEY = bytes(range(32))

FILE = """
id = "panel"
title = "Panel"
purpose = "To learn how a habit changes."

[publisher]
name = "Example University"
contact = "irb@example.org"

[waves]
count = 12
first = 2027-01-04
days = 7

[[question]]
id = "ever_tried"
text = "Have you ever tried it?"
"""


@dataclass(frozen=True)
class Record:
    survey: Survey
    state: str = "open"


def asking(survey: Survey, waves: Waves, **changes) -> Survey:
    """The survey, asked in waves."""
    options = tuple(Option(wave, {"en": wave}) for wave in waves.options)
    attributes = (*survey.attributes, Attribute("wave", {"en": "Wave"}, options))
    return replace(survey, id="panel", attributes=attributes, waves=waves, **changes)


@pytest.fixture
def panel(survey: Survey) -> Survey:
    """Twelve weeks, tossed once for life."""
    return asking(survey, Waves(12, MONDAY, 7))


def cell(survey: Survey, wave: int, counts=(150, 50), region=0, question="ever_tried") -> Cell:
    day = MONDAY + timedelta(7 * (wave - 1))
    return Cell(survey.digest, question, day, (region, wave - 1), counts)


def with_lines(lines: str, at: str = "[[question]]") -> str:
    return FILE.replace(at, f"{lines}\n{at}", 1)


# The survey file


def test_it_works():
    """A file with a table [waves] asks again, tosses once, and fills in the wave itself."""
    made = load_survey(FILE, KEY)

    assert made.waves == Waves(12, MONDAY, 7)
    assert [option.id for option in made.attributes[-1].options] == list(made.waves.options)
    assert ((), 3) == (made.asked_attributes, made.odds)
    assert Survey.parse(made.payload) == made


def test_waves_are_named_in_every_language():
    """The page and the export call the attribute by what its readers call it."""
    chinese = FILE.replace('"Panel"', '{ en = "Panel", zh-Hans = "追踪" }')
    for words in ('"To learn how a habit changes."', '"Have you ever tried it?"'):
        chinese = chinese.replace(words, f"{{ en = {words}, zh-Hans = {words} }}")
    made = load_survey(chinese, KEY).attributes[-1]

    assert {"en": "Wave", "zh-Hans": "轮次"} == made.text
    assert {"en": "2 (2027-01-11)", "zh-Hans": "2 (2027-01-11)"} == made.options[1].label
    named = load_survey(with_lines('text = "Week"'), KEY).attributes[-1]
    assert {"en": "Week"} == named.text


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ('mechanism = "permanent-instantaneous"', PermanentInstantaneous(2, 3, 1, 3, 1)),
        (
            'mechanism = "permanent-instantaneous"\nodds = 9\nagain = "5/2"',
            PermanentInstantaneous(2, 9, 1, 5, 2),
        ),
        (
            'mechanism = "rappor"\nodds = 9\nagain = 3\nanswers = ["A", "B", "C"]',
            Rappor(3, 3, 1, 3, 1, 4),
        ),
    ],
)
def test_coins_for_waves_are_taken_exactly(lines, expected):
    """Odds are those for life, again those of the coins of each report."""
    assert expected == load_survey(FILE + lines, KEY).questions[0].mechanism


def test_the_cost_is_that_of_all_waves():
    """Once for life costs once; afresh in m waves costs to the power of m, and may be too much."""
    dear = "question_cap = 729\n"
    afresh = [load_survey(dear + with_lines(f"times = {m}"), KEY).odds for m in (1, 2, 6)]
    kept = load_survey(FILE + 'mechanism = "permanent-instantaneous"\nodds = 9\nagain = 3', KEY)

    assert [3, 9, 729] == afresh
    assert 9 == kept.odds
    with pytest.raises(TooCostlyError, match="2187"):
        load_survey(with_lines("times = 7"), KEY)


@each(
    "text, part",
    [
        (FILE.replace("count = 12", "count = 1"), "count must be"),
        (FILE.replace("count = 12", 'count = "12"'), "must be a whole number"),
        (FILE.replace("days = 7", ""), "days: is missing"),
        (FILE.replace("days = 7", "dayz = 7"), "did you mean 'days'"),
        (FILE.replace("2027-01-04", '"soon"'), "must be a day"),
        (with_lines("times = 13"), "times must be"),
        (with_lines("times = 1") + 'mechanism = "permanent-instantaneous"', "keeps an answer"),
        ('linkage = "joint"\n' + FILE, "would mark a device"),
        (
            FILE + f"answers = {[f'A{n}' for n in range(40)]}\nmechanism = 'k-ary'",
            "would mark a device",
        ),
        (FILE + 'mechanism = "rappor"', "a bit an option"),
        (FILE + 'mechanism = "permanent-instantaneous"\nweights = [3, 1]', "no weights"),
        (FILE + 'mechanism = "permanent-instantaneous"\nodds = 1', "above 1"),
        (FILE + 'mechanism = "permanent-instantaneous"\nagain = 1', "again (1) must be above 1"),
        (FILE + "again = 3", "takes again with mechanism"),
        ("opens = 2027-02-01\n" + FILE, "must be open"),
        ("closes = 2027-02-01\n" + FILE, "must be open"),
        (
            FILE.replace("[waves]\ncount = 12\nfirst = 2027-01-04\ndays = 7\n", "")
            + 'mechanism = "permanent-instantaneous"',
            "add a table [waves]",
        ),
        (FILE + '[[attribute]]\nid = "wave"\ntext = "W"\nanswers = ["a", "b"]', "ids must differ"),
    ],
)
def test_what_cannot_be_asked_again_is_refused(text, part):
    """Each message says what to change."""
    with pytest.raises(SurveyFileError) as refused:
        load_survey(text, KEY)
    assert part in str(refused.value)


def test_a_manifest_whose_attribute_tells_other_waves_is_refused(panel):
    """Wave attribute and waves say the same, and only together."""
    from tossup.shared.errors import ManifestError

    for changes in (
        {"waves": None},
        {"waves": Waves(11, MONDAY, 7)},
        {"attributes": panel.attributes[:-1]},
        {"attributes": panel.attributes[::-1]},
    ):
        with pytest.raises(ManifestError, match="wave"):
            replace(panel, **changes)


# Results


def test_totals_are_of_one_wave(panel):
    """One person reports in every wave, so waves are not added up; the newest is shown."""
    cells = [cell(panel, 1), cell(panel, 2, (100, 100)), cell(panel, 3, (2, 1))]
    found = results(Record(panel), cells)
    total = found.question("ever_tried").total

    assert ("2", (100, 100)) == (found.wave, total.counts)
    assert {part.day for part in found.question("ever_tried").days} == {date(2027, 1, 11)}


def test_a_wave_may_be_chosen(panel):
    """All waves stay in the groups by wave, whichever is looked at."""
    cells = [cell(panel, 1), cell(panel, 2, (100, 100)), cell(panel, 2, (20, 80), region=1)]
    found = results(Record(panel), cells, where={"wave": "1"})
    question = found.question("ever_tried")
    waves = {p.option: p.counts for p in question.groups if p.attribute == "wave" and p.n}
    regions = {p.option: p.counts for p in question.groups if p.attribute == "region"}

    assert (150, 50) == question.total.counts
    assert {"1": (150, 50), "2": (120, 180)} == waves
    assert {"north": (150, 50), "south": (0, 0)} == regions
    with pytest.raises(FilterError):
        results(Record(panel), cells, where={"wave": "13"})


def test_a_wave_without_reports_between_others_is_a_gap(panel):
    """Pages show it as such: a row less would look like a series without one. None come after."""
    found = results(Record(panel), [cell(panel, 2), cell(panel, 5)])
    waves = panel.attributes[-1]
    shown = found.question("ever_tried").by_option(waves)

    assert [("2", 200), ("3", 0), ("4", 0), ("5", 200)] == [(p.option, p.n) for _, p in shown]
    assert [] == list(results(Record(panel), []).question("ever_tried").by_option(waves))


def test_without_reports_there_is_no_wave(panel):
    """Nothing is shown, and nothing fails."""
    found = results(Record(panel), [])

    assert (None, 0) == (found.wave, found.question("ever_tried").n)
    assert () == found.question("ever_tried").changes


def test_reports_from_before_there_were_waves_are_kept_apart(survey, panel):
    """A survey that turned to waves shows what it asked once beside them."""
    once = replace(survey, id="panel")
    again = replace(panel, version=2, previous=once.digest)
    before = Cell(once.digest, "ever_tried", MONDAY, (0,), (80, 40))
    found = results(Record(again), [before, cell(again, 1)], versions=[once])
    totals = [q.total.counts for q in found.questions if q.question.id == "ever_tried"]

    assert [(150, 50), (80, 40)] == totals


def test_waves_are_not_compared_as_groups_of_different_people(panel):
    """Regions are; waves have changes."""
    cells = [cell(panel, n, (150, 50), region) for n in (1, 2) for region in (0, 1)]
    question = results(Record(panel), cells).question("ever_tried")

    assert {"region"} == {found.attribute for found in question.comparisons}
    assert [("1", "2")] == [(step.earlier, step.later) for step in question.changes]


def test_versions_that_choose_waves_differently_may_share_all_their_people(survey):
    """Who answered every wave of the first version may be in any two, whatever the next does."""
    first = asking(survey, Waves(4, MONDAY, 7, times=4))
    second = asking(survey, Waves(4, MONDAY, 7, times=2), version=2, previous=first.digest)
    cells = [cell(first, 1), cell(first, 2)]
    alone, pooled = (
        results(Record(current), cells, versions=[first]).question("ever_tried").changes[0].change
        for current in (first, second)
    )

    assert alone == pooled


def test_a_wave_with_few_reports_is_passed_over(panel):
    """A change is between neighbours that both have enough."""
    cells = [cell(panel, 1), cell(panel, 2, (5, 5)), cell(panel, 4, (100, 100))]
    [step] = results(Record(panel), cells).question("ever_tried").changes

    assert ("1", "4", (200, 200)) == (step.earlier, step.later, step.change.n)
    assert 0.5 == pytest.approx(step.change.value)


def test_a_mean_changes_too(survey):
    """The change of a number is that of its mean, in its own unit."""
    question = Question(
        "hours",
        "hours",
        {"en": "How many hours?"},
        (),
        TruncatedGeometric.for_odds(11, Fraction(9)),
        Grid.integers(0, 10),
    )
    waves = Waves(4, MONDAY, 7, times=2)
    numbers = asking(survey, waves, questions=(question,))
    low, high = [60, 40, *[10] * 9], [*[10] * 9, 40, 60]
    cells = [
        cell(numbers, 1, tuple(low), question="hours"),
        cell(numbers, 2, tuple(high), question="hours"),
    ]
    [step] = results(Record(numbers), cells).question("hours").changes

    assert ("mean", "1", "2") == (step.answer, step.earlier, step.later)
    assert 0 < step.change.interval.low < step.change.value < step.change.interval.high
    assert step.change.interval.method.endswith("-overlap")


def test_json_and_csv_hold_waves_and_changes(panel):
    """The same numbers in both, each change with its interval and both n."""
    cells = [cell(panel, 1), cell(panel, 2, (100, 100))]
    found = results(Record(panel), cells)
    as_json = json.loads(strict_json.dumps(results_to_json(found)))
    [step] = as_json["questions"][0]["changes"]
    rows = list(csv.DictReader(StringIO(results_to_csv(found))))
    [row] = [r for r in rows if r["option"] == "2" and r["question"] == "ever_tried"]

    assert (2, 12) == (as_json["wave"], as_json["survey"]["waves"]["count"])
    assert (1, 2, [200, 200], "mover-score") == (
        step["from"],
        step["to"],
        step["n"],
        step["method"],
    )
    assert [step[k] for k in ("value", "low", "high")] == [
        float(row[k]) for k in ("change", "change_low", "change_high")
    ]
    assert {"2"} == {r["wave"] for r in rows if r["attribute"] != "wave"}
    assert ("2", "1") == (row["wave"], row["change_from"])


def test_the_command_line_shows_every_wave(panel):
    """A row a wave with reports, the change in points beside it."""
    cells = [cell(panel, 1), cell(panel, 2, (5, 5)), cell(panel, 3, (100, 100))]
    found = json.loads(strict_json.dumps(results_to_json(results(Record(panel), cells))))
    text = waves_as_text(found, found["questions"][:1])
    lines = [line.split() for line in text.strip().splitlines()]

    assert ["Above:", "wave", "3.", "By", "wave:"] == lines[0]
    assert [["ever_tried", str(wave)] for wave in (1, 2, 3)] == [line[:2] for line in lines[2:]]
    assert "too few reports" in text
    assert "50.0 % (" in text
    assert text.endswith("since 1")


# Change


def measured(yes: int, n: int, mechanism=None) -> AnswerEstimate:
    return AnswerEstimate("yes", estimate_yes(yes=yes, n=n, mechanism=mechanism or TwoCoin()), 0.95)


@pytest.mark.parametrize(
    ("waves", "expected"),
    [
        (Waves(12, MONDAY, 7), 0),
        (Waves(12, MONDAY, 7, times=1), 0),
        (Waves(12, MONDAY, 7, times=3), Fraction(2, 11)),
        (Waves(12, MONDAY, 7, times=12), 1),
    ],
)
def test_how_many_answer_two_waves_follows_from_the_turns(waves, expected):
    """Of m waves out of T, given one, another is among them with probability (m - 1) / (T - 1)."""
    assert expected == overlap(waves)


def test_without_overlap_the_interval_is_that_of_different_people():
    """MOVER from the two score intervals, as for two groups."""
    from tossup.server.estimation import Difference

    first, second = measured(140, 300), measured(110, 300)
    apart = Difference(first.share, second.share)
    found = change(first, second)

    assert apart.interval().low == pytest.approx(found.interval.low)
    assert apart.interval().high == pytest.approx(found.interval.high)
    assert apart.standard_error == pytest.approx(found.standard_error)


def test_overlap_widens_by_what_answers_may_hide():
    """At 300 two-coin reports a wave and an overlap of 1: some 12 points in a hundred wider."""
    plain, wide = (
        change(measured(150, 300), measured(150, 300), overlap=Fraction(part)) for part in (0, 1)
    )
    widths = [found.interval.high - found.interval.low for found in (plain, wide)]

    assert 1.118 == pytest.approx(widths[1] / widths[0], abs=2e-3)


def covered(odds: int, n: int, runs: int, part: Fraction, *, turning: float) -> float:
    """In which part of the runs the interval covers a change of 0, if answers turn this often.

    Half of all people say yes; each person's answer turns from one wave to the next with this
    probability, so that the true share stays, and everybody answers both waves.
    """
    mechanism = RandomizedResponse(((odds, 1), (1, odds)))
    rng, hits = np.random.default_rng(20270104), 0
    lie = 1 / (odds + 1)
    for _ in range(runs):
        first = rng.random(n) < 0.5
        second = first ^ (rng.random(n) < turning)
        counts = [int(np.sum(answers ^ (rng.random(n) < lie))) for answers in (first, second)]
        one, two = (measured(yes, n, mechanism) for yes in counts)
        hits += 0.0 in change(two, one, overlap=part).interval
    return hits / runs


@pytest.mark.parametrize(
    ("odds", "turning"),
    proving(product([3, 9, 81], [1.0, 0.5, 0.0]), but=[(3, 0.0), (81, 1.0)]),
)
def test_the_interval_covers_whoever_answered_both_waves(odds, turning):
    """Even if everybody turns round, 95 % intervals cover in 94 % of runs or more.

    Fixed seed; 3,000 runs of n = 400: the fraction's standard deviation is 0.4 points.
    """
    assert covered(odds, 400, 3000, Fraction(1), turning=turning) >= 0.938


def test_an_interval_for_strangers_would_not_cover():
    """With the same people turning round, that of two groups covers in under 85 % of runs."""
    assert covered(9, 400, 1000, Fraction(0), turning=1.0) < 0.90
    assert covered(81, 400, 1000, Fraction(0), turning=1.0) < 0.85


def test_the_same_kept_value_gives_no_change():
    """If the same people report the same, the change is 0 and its interval holds 0."""
    found = change(measured(150, 300), measured(150, 300))

    assert 0.0 in found.interval
    assert 0.0 == found.value


# The whole road


@pytest.fixture
def http(config, store, panel, publisher_key):
    with serving(config, store, replace(panel, results="public"), publisher_key) as client:
        yield client


def post(http, survey: Survey, wave: int, values: list[int]) -> None:
    n = len(values)
    batch = Batch(
        survey.digest,
        tuple(secrets.token_bytes(16) for _ in values),
        {"ever_tried": tuple(values)},
        {"region": (0,) * n, "wave": (wave - 1,) * n},
    )
    answer = http.post("/v1/reports", data=encode_batch(batch, survey), content_type=REPORTS_TYPE)
    assert (200, n) == (answer.status_code, answer.json["received"])


def test_devices_report_wave_after_wave_and_are_counted_once_in_each(
    http, store, panel, publisher_key, tmp_path
):
    """Three devices, three waves, flushed twice: nine reports, and all withdrawn by one call."""
    link = "https://survey.example/v1/surveys/panel"
    devices = [
        Client(link, panel.publisher.key, store=tmp_path / f"{n}.db", transport=InProcess(http))
        for n in range(3)
    ]
    for client in devices:
        client.answer({"ever_tried": True, "region": "south"}, wave=1)
    for wave in (2, 3):
        for client in devices:
            assert client.repeat({"region": "south"}, wave=wave) is Outcome.QUEUED
            client.flush()
            client.flush(force=True)
    found = results(store.survey("panel"), store.tally("panel"))
    waves = [p.n for p in found.question("ever_tried").groups if p.attribute == "wave"][:4]
    devices[0].withdraw()
    devices[0].flush(force=True)

    assert [3, 3, 3, 0] == waves
    assert recount(store, "panel").agrees
    assert 6 == store.survey("panel").reports


def test_the_api_filters_by_wave(http, panel):
    """``?where.wave=1`` is a filter like any public attribute."""
    public = replace(panel, results="public")
    post(http, public, 1, [0, 1] * 60)
    post(http, public, 2, [0, 0, 0, 1] * 40)
    newest = http.get("/v1/surveys/panel/results").json
    first = http.get("/v1/surveys/panel/results?where.wave=1").json

    assert (2, 160) == (newest["wave"], newest["questions"][0]["n"])
    assert (1, 120) == (first["wave"], first["questions"][0]["n"])
    assert newest["questions"][0]["changes"] == first["questions"][0]["changes"]


def test_reports_to_a_wave_that_has_not_begun_do_not_choose_what_is_shown(panel):
    """Forged ones would otherwise decide what everyone sees; they are there if asked for."""
    early, record = replace(cell(panel, 4), day=MONDAY), Record(panel)

    assert "1" == results(record, [cell(panel, 1), early], versions=[panel]).wave
    assert "4" == results(record, [early], versions=[panel]).wave
    assert "4" == results(record, [cell(panel, 1), cell(panel, 4)], versions=[panel]).wave


def test_the_page_shows_waves_and_changes(http, panel):
    """The newest wave's totals, a table by wave, and the change in points."""
    public = replace(panel, results="public")
    post(http, public, 1, [0, 1] * 60)
    post(http, public, 2, [0, 0, 0, 1] * 40)
    page = http.get("/surveys/panel").text

    assert "Everything below is of wave 2" in page
    assert "Change from wave to wave" in page
    assert "1 to 2" in page
    assert "−50.0" in page or "-50.0" in page
    assert "Odds over all waves" in page


def test_joint_answers_are_tabled_wave_by_wave(config, store, joint_survey, publisher_key):
    """Two waves may hold the same people, so a table is of one of them."""
    afresh = asking(joint_survey, Waves(12, MONDAY, 7, times=2), results="public")
    app = create_app(config, store=store)
    publish(store, sign_manifest(afresh.payload, publisher_key))
    http, path = app.test_client(), "/v1/surveys/panel/joint?questions=ever_tried,rating"
    refused, answered = http.get(path), http.get(f"{path}&where.wave=1")
    app.extensions["tossup"].close()

    assert (422, 200) == (refused.status_code, answered.status_code)
    assert "wave=1" in refused.json["detail"]


def test_joint_answers_of_an_older_version_are_tabled_wave_by_wave(
    config, store, joint_survey, publisher_key
):
    """Its devices may have answered several waves, whatever the newest version asks."""
    twice = asking(joint_survey, Waves(12, MONDAY, 7, times=2), results="public")
    once = replace(twice, waves=Waves(12, MONDAY, 7, times=1), version=2, previous=twice.digest)
    batch = Batch(
        twice.digest,
        (secrets.token_bytes(16),),
        {question.id: (0,) for question in twice.questions},
        {attribute.id: (0,) for attribute in twice.attributes},
    )
    app = create_app(config, store=store)
    publish(store, sign_manifest(twice.payload, publisher_key))
    http, path = app.test_client(), "/v1/surveys/panel/joint?questions=ever_tried,rating"
    sent = http.post("/v1/reports", data=encode_batch(batch, twice), content_type=REPORTS_TYPE)
    publish(store, sign_manifest(once.payload, publisher_key))
    refused, answered = http.get(path), http.get(f"{path}&where.wave=1")
    app.extensions["tossup"].close()

    assert (200, 422, 200) == (sent.status_code, refused.status_code, answered.status_code)


# Verification and command line


def test_a_manifest_is_verified_over_all_waves(panel, publisher_key):
    """Once for life: what is kept. Afresh: to the power of the waves. Both recomputed."""
    blurred = replace(panel.questions[0], mechanism=PermanentInstantaneous(2, 9, 1, 3, 1))
    kept = replace(panel, questions=(blurred,))
    afresh = replace(panel, waves=Waves(12, MONDAY, 7, times=2))
    found = [verify(sign_manifest(s.payload, publisher_key)) for s in (kept, afresh)]

    assert [9, 81] == [each.odds for each in found]
    assert [(9, Fraction(7, 3)), (9, 3)] == [(v.costs[0].odds, v.costs[0].once) for v in found]


def test_what_a_survey_costs_counts_every_toss(panel):
    """Two questions tossed in three waves are six answers at 3:1; once for life, two."""
    afresh = replace(panel, waves=Waves(12, MONDAY, 7, times=3))
    costs = [survey_cost(panel), survey_cost(afresh)]

    assert [9, 729] == [cost.odds for cost in costs]
    assert [(3, 0), (27, 0)] == [cost.answers["ever_tried"] for cost in costs]
    sums = [next(b for b in cost.bounds if b.name == "sequential") for cost in costs]
    assert [2.1973, 6.5917] == pytest.approx(
        [float(bound.guarantee.epsilon) for bound in sums], abs=1e-4
    )
    assert [(), ()] == [cost.mixed for cost in costs]


def test_a_chance_adds_up_over_the_waves(panel):
    """A delta is charged in every wave that tosses: twice the chance in two of them."""
    design = DiscreteGaussian.for_odds(11, Fraction(9), delta=Fraction(1, 10**6))
    question = Question("hours", "hours", {"en": "Hours?"}, (), design, Grid.integers(0, 10))
    waves = Waves(12, MONDAY, 7, times=2)
    numbers = replace(panel, questions=(question,), waves=waves)

    assert (design.odds**2, 2 * design.delta) == (numbers.odds, numbers.delta)
    assert 0 < numbers.delta


def test_a_claim_for_one_wave_only_is_refused(panel, publisher_key):
    """Two waves at 9:1 are 81:1, whatever the manifest says."""
    afresh = replace(panel, waves=Waves(12, MONDAY, 7, times=2))
    fields = strict_json.loads(afresh.payload, 1 << 20) | {"odds": "9", "epsilon": "2.1973"}

    with pytest.raises(UnderstatedError, match="costs 81"):
        verify(sign_manifest(strict_json.dumps(fields), publisher_key))


def test_tossup_verify_says_what_a_report_and_all_waves_cost(panel, publisher_key, tmp_path):
    """In words, for whoever doubts."""
    path = tmp_path / "manifest"
    path.write_bytes(sign_manifest(panel.payload, publisher_key))
    done = CliRunner().invoke(root, ["verify", str(path)])

    assert 0 == done.exit_code
    assert "Asked in 12 waves; a device tosses once for life" in done.stdout
    assert "of one report" in done.stdout


def test_an_estimate_of_a_wave_is_that_of_its_reports(panel):
    """Debiased with the coins of both stages at once."""
    mechanism = PermanentInstantaneous(2, 9, 1, 3, 1)
    blurred = replace(panel, questions=(replace(panel.questions[0], mechanism=mechanism),))
    found = results(Record(blurred), [cell(blurred, 1, (300, 200))])
    share = found.question("ever_tried").estimates[0].share

    assert estimate_share((300, 200), mechanism) == share
    assert (Fraction(2, 5) - Fraction(3, 10)) / Fraction(4, 10) == share.exact
