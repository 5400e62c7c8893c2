"""Numbers that change slowly: from the file over the road to means by wave and honest changes."""

import json
import secrets
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from alarms import standard_errors
from click.testing import CliRunner
from in_process import InProcess, serving
from sweeps import each, proving

from tossup.client import Client, Outcome
from tossup.server.cli.authoring.promises import cost_as_text, cost_to_json
from tossup.server.cli.root import root
from tossup.server.estimation import estimate_numbers
from tossup.server.estimation.comparing.change import change, of_answers
from tossup.server.estimation.designs.scores import mean_scores
from tossup.server.estimation.numbers.kept import least_covariance, second_moments
from tossup.server.ingest.recount import recount
from tossup.server.kernels import kernel_of
from tossup.server.kinds import reasons
from tossup.server.kinds.choosing.memo import people_afresh
from tossup.server.kinds.choosing.number import for_number, mean_variance
from tossup.server.results import results
from tossup.server.store.tally import Cell
from tossup.server.surveys.costs import SLACK
from tossup.server.surveys.file import TooCostlyError, load_survey
from tossup.server.surveys.reading.tables import SurveyFileError
from tossup.server.surveys.verification import UnderstatedError, verify
from tossup.shared import strict_json
from tossup.shared.coins import Coins
from tossup.shared.kinds.number import Grid
from tossup.shared.mechanisms import DBitFlip, KeptBitsMechanism, OneBitMean
from tossup.shared.signing import public_bytes, sign_manifest
from tossup.shared.survey import Survey
from tossup.shared.wire import REPORTS_TYPE, Batch, encode_batch

MONDAY = date(2027, 1, 4)
KEY = bytes(range(32))

FILE = """
question_cap = 81
id = "counters"
title = "Counters"
purpose = "To learn how often a program is started."
results = "public"
minimum_batch = 100

[publisher]
name = "Example University"
contact = "irb@example.org"

[waves]
count = 4
first = 2027-01-04
days = 7
times = 4

[[question]]
id = "starts"
text = "How often was it started?"
answers = { integers = [0, 4] }
"""
MEAN = FILE + 'mechanism = "one-bit-mean"\n'
BUCKETS = FILE + 'mechanism = "d-bit-flip"\n'


@dataclass(frozen=True)
class Record:
    survey: Survey
    state: str = "open"


# The survey file


@each(
    "text, expected",
    [
        (MEAN, OneBitMean(5, 9, 1, 3, 1)),
        (MEAN + 'memory = "5/2"\nodds = "3/2"', OneBitMean(5, 5, 2, 3, 2)),
        (BUCKETS + 'odds = "9/4"', DBitFlip(5, 5, 9, 1, 3, 2)),
        (BUCKETS + 'odds = "9/4"\nasked = 2\nmemory = 3', DBitFlip(5, 2, 3, 1, 3, 2)),
        (BUCKETS + "asked = 1", DBitFlip(5, 1, 9, 1, 3, 1)),
        (BUCKETS.replace("[0, 4]", "[0, 2]"), DBitFlip(3, 1, 9, 1, 3, 1)),
        (
            MEAN.replace("integers = [0, 4]", 'numbers = [0, 10], step = "1/10"'),
            OneBitMean(101, 9, 1, 3, 1),
        ),
    ],
)
def test_coins_are_taken_exactly(text, expected):
    """Odds are those that a wave is charged, memory those of the kept bits."""
    made = load_survey(text, KEY)

    assert expected == made.questions[0].mechanism
    assert expected.given_memo.odds**4 == made.odds
    assert Survey.parse(made.payload) == made


@each("text", [MEAN, BUCKETS])
@each("epsilon", ["0.3", "1", "1.6"])
def test_an_epsilon_is_never_exceeded_by_a_wave(text, epsilon):
    """The charge of a wave is the largest that the integers allow, up to e to the epsilon."""
    text = text.replace("times = 4", "times = 2") + f"epsilon = {epsilon}"
    charged = load_survey(text, KEY).questions[0].mechanism.given_memo.odds

    assert np.exp(float(epsilon)) * (1 - 1e-6) < charged <= np.exp(float(epsilon))


@each(
    "text, part",
    [
        (MEAN.replace("times = 4", ""), "give waves.times, from 2 to 16"),
        (MEAN.replace("times = 4", "times = 1"), "give waves.times, from 2 to 16"),
        (
            MEAN.replace("[waves]\ncount = 4\nfirst = 2027-01-04\ndays = 7\ntimes = 4", ""),
            "add a table [waves]",
        ),
        ('linkage = "joint"\n' + MEAN, "use linkage none"),
        (BUCKETS.replace("[0, 4]", "[0, 32]"), "at most 32 numbers"),
        (BUCKETS + "asked = 6", "asked of d-bit-flip/1 must be"),
        (MEAN + "asked = 1", "takes asked with mechanism d-bit-flip alone"),
        (FILE + "memory = 9", "takes memory with mechanism one-bit-mean or d-bit-flip alone"),
        (MEAN + "memory = 1", "memory (1) must be above 1"),
        (BUCKETS + "odds = 1", "odds (1) must be above 1"),
        (MEAN + "delta = 1e-6", "delta is for discrete-gaussian"),
        (MEAN + "weights = [3, 1]", "no weights"),
        (MEAN.replace("answers = { integers = [0, 4] }", ""), "does not fit its answers"),
    ],
)
def test_what_a_memo_is_not_for_is_refused(text, part):
    """Each message says what to change."""
    with pytest.raises(SurveyFileError) as refused:
        load_survey(text, KEY)
    assert part in str(refused.value)


def test_waves_that_devices_would_refuse_are_refused():
    """Seven waves at 3:1 are 2187:1, whatever the reports alone tell."""
    with pytest.raises(TooCostlyError, match="2187"):
        load_survey(MEAN.replace("= 4", "= 7"), KEY)


def test_what_a_memo_costs_is_told_when_a_survey_is_made():
    """All of it, the reports alone, and how many more people than without a memo."""
    made = load_survey(MEAN, KEY)
    text = cost_as_text(cost_to_json(made, SLACK, 10_000))

    assert "starts: odds 81:1 (epsilon 4.3945), also for whoever takes the device" in text
    assert "its reports alone: 1681/81:1, about 20.76:1" in text
    assert (
        "its mean needs 1.8 times as many people as hybrid, tossed afresh at the same odds"
        in (reasons(made)["starts"])
    )


# What it costs in people


@each("points", [3, 5, 8, 12, 32])
@each("odds", [Fraction(3, 2), Fraction(9, 4), Fraction(3)])
def test_a_memo_never_needs_fewer_people_at_the_same_charge(points, odds):
    """A cut 1.5 to 1.9 times as many; one bucket twice as many to more than a hundred times."""
    cut = people_afresh(OneBitMean(points, 9, 1, *odds.as_integer_ratio()))
    bucket = people_afresh(DBitFlip(points, 1, 9, 1, *odds.as_integer_ratio()))

    assert 1.5 < cut < 1.9
    assert 2 < bucket < 125


@pytest.mark.parametrize(
    ("odds", "waves", "saved"),
    [
        (Fraction(3, 2), 4, 0.03),
        (Fraction(9, 4), 4, 0.11),
        (Fraction(3), 4, 0.16),
        (Fraction(3, 2), 12, 0.29),
    ],
)
def test_a_cut_needs_fewer_people_at_the_same_odds_of_the_reports(odds, waves, saved):
    """Against the best fresh tosses that tell whoever links all reports as much."""
    memo = OneBitMean(12, 9, 1, *odds.as_integer_ratio())
    each = Fraction(float(memo.odds_of(waves)) ** (1 / waves)).limit_denominator(10**4)
    afresh = for_number(Grid.integers(0, 11), "auto", each)

    assert pytest.approx(saved, abs=0.005) == 1 - mean_variance(memo) / mean_variance(afresh)


# How two reports of one device go together

SMALL = [DBitFlip(2, 1), DBitFlip(3, 1), DBitFlip(3, 2), DBitFlip(3, 3), DBitFlip(4, 2, 3, 1, 3, 2)]


def moments_over_memos(design: KeptBitsMechanism) -> np.ndarray:
    """E[product of what two reports count for], by going through all memos and all reports."""
    scores, bits = mean_scores(design), design.buckets
    right, same = (
        keep / (keep + lie)
        for keep, lie in ((design.keep, design.lie), (design.again_keep, design.again_lie))
    )
    found, every = np.zeros((design.points, design.points)), range(1 << bits)
    for first, inside, outside in product(range(design.windows), every, every):
        likely = inside.bit_count() + bits - outside.bit_count()
        held = [design.truth(first, answer) for answer in range(design.points)]
        kept = [inside & truth | outside & ~truth & (1 << bits) - 1 for truth in held]
        place = 0 if design.reports == 1 << bits else first << bits
        counts = [
            sum(
                same ** (bits - (mask ^ k).bit_count()) * (1 - same) ** (mask ^ k).bit_count()
                * scores[place | mask]
                for mask in every
            )
            for k in kept
        ]  # fmt: skip
        chance = right**likely * (1 - right) ** (2 * bits - likely) / design.windows
        found += chance * np.outer(counts, counts)
    return found


def covariance(moments: np.ndarray, shares: np.ndarray) -> float:
    """Of two reports, if this share of the people gives these answers in two waves."""
    points = np.arange(len(moments))
    return float((shares * moments).sum() - (shares.sum(1) @ points) * (shares.sum(0) @ points))


@pytest.mark.parametrize("design", SMALL, ids=str)
def test_the_moments_are_those_of_all_memos(design):
    """Shared where both answers are in a bucket or neither is, independent where one is."""
    assert second_moments(design) == pytest.approx(moments_over_memos(design), abs=1e-9)


@each("design", [*SMALL, DBitFlip(8, 8), DBitFlip(5, 1, 3, 1)])
def test_no_way_of_changing_has_a_lower_covariance(design):
    """Of 2,000 random ways, and all on a grid of two groups of people, one of which reaches it."""
    moments, least = second_moments(design), least_covariance(design)
    rng, k = np.random.default_rng(20270104), design.points
    random = [rng.dirichlet(np.full(k * k, 0.1)).reshape(k, k) for _ in range(2000)]
    ends = [(0, k - 1), (k - 1, 0), (0, 1), (1, 0), (k - 2, k - 1), (k - 1, k - 2), (0, 0)]
    groups = []
    for (a, b), share in product(product(ends, ends), np.linspace(0, 1, 41)):
        shares = np.zeros((k, k))
        shares[a] += share
        shares[b] += 1 - share
        groups.append(shares)
    found = min(covariance(moments, shares) for shares in [*random, *groups])

    assert least - 1e-9 <= found
    assert min(found, 0) == pytest.approx(least, rel=0.02, abs=1e-9)


def test_few_buckets_can_be_worse_than_fresh_coins():
    """Asked of one bucket out of five, half of the people moving by a step: 15 % below -4."""
    assert -4.6 < least_covariance(DBitFlip(5, 1)) < -4.5 < of_answers(4) == -4


@each("points", [2, 3, 5, 9])
@each("coins", [(9, 1, 3, 1), (2, 1, 9, 1), (1, 0, 3, 2)])
def test_a_kept_cut_has_no_worse_covariance_than_fresh_coins(points, coins):
    """Over 2,000 random ways of changing; half at either bound changing sides reach it."""
    design = OneBitMean(points, *coins)
    moments, rng = moments_over_memos(design), np.random.default_rng(20270104)
    ways = [rng.dirichlet(np.full(points**2, 0.1)).reshape(points, points) for _ in range(2000)]
    turned = np.zeros((points, points))
    turned[0, -1] = turned[-1, 0] = 0.5

    assert of_answers(points - 1) <= min(covariance(moments, way) for way in ways)
    assert of_answers(points - 1) == pytest.approx(covariance(moments, turned))


# The interval of a change


def reported(design: KeptBitsMechanism, answers: np.ndarray, rng: np.random.Generator):
    """Reports of each person in each wave, through one memo each."""
    people, bits = answers.shape[1], design.buckets
    firsts = rng.integers(0, design.windows, people)
    truth = np.array(
        [[design.truth(w, x) for x in range(design.points)] for w in range(design.windows)]
    )
    wrong = design.lie / (design.keep + design.lie)
    turned = design.again_lie / (design.again_keep + design.again_lie)
    powers = 1 << np.arange(bits)

    def masks(chance: float) -> np.ndarray:
        return (rng.random((people, bits)) < chance) @ powers

    inside, outside = masks(1 - wrong), masks(wrong)
    place = 0 if design.reports == 1 << bits else firsts << bits
    for wave in answers:
        held = truth[firsts, wave]
        yield place | ((inside & held | outside & ~held & (1 << bits) - 1) ^ masks(turned))


def covered(design, moving, runs: int, n: int, least: float) -> float:
    """In which part of the runs the interval covers no change, if everybody moves like this."""
    rng, grid, hits = np.random.default_rng(20270104), Grid.integers(0, design.points - 1), 0
    for _ in range(runs):
        first = rng.integers(0, 2, n)
        answers = np.array([[moving[a] for a in first], [moving[1 - a] for a in first]])
        found = [
            estimate_numbers(np.bincount(y, minlength=design.reports).tolist(), design, grid)[0]
            for y in reported(design, answers, rng)
        ]
        hits += 0.0 in change(found[1], found[0], overlap=Fraction(1), covariance=least).interval
    return hits / runs


CHANGING = [
    (OneBitMean(5, 100, 1, 81, 1), (0, 4)),
    (OneBitMean(5, 9, 1, 3, 1), (0, 4)),
    (DBitFlip(5, 5, 9, 1, 9, 1), (0, 4)),
    (DBitFlip(3, 1, 9, 1, 9, 1), (0, 2)),
    (DBitFlip(5, 1, 9, 1, 3, 1), (0, 4)),
    (DBitFlip(5, 1, 9, 1, 3, 1), (2, 2)),
]


@pytest.mark.prove
@pytest.mark.parametrize(("design", "moving"), proving(CHANGING, but=CHANGING[1:2]), ids=str)
def test_the_interval_of_a_change_covers_whoever_moves(design, moving):
    """Half of the people move one way and half back, so that no mean changes; or nobody moves.

    Whole devices, two waves through one memo. 95 % intervals cover in 93.8 % of runs or more. Fixed
    seed; 2,000 runs of n = 400: the fraction's standard deviation is 0.5 points.
    """
    least = least_covariance(design) if isinstance(design, DBitFlip) else of_answers(4)

    assert covered(design, moving, 2000, 400, least) >= 0.938


@pytest.mark.prove
def test_an_interval_for_strangers_would_not_cover():
    """With the same people changing sides, that of two groups covers in under 85 % of runs."""
    assert covered(OneBitMean(5, 100, 1, 81, 1), (0, 4), 2000, 400, 0.0) < 0.85


def test_a_change_is_widened_by_what_the_memo_may_hide():
    """In results, by the worst of the design; in the question's own unit."""
    halves = FILE.replace("integers = [0, 4]", 'numbers = [0, 2], step = "1/2"')
    made = load_survey(halves + 'mechanism = "d-bit-flip"\nasked = 1', KEY)
    counts = (60, 40, 50, 50, 50, 50, 50, 50, 50, 50)
    cells = [
        Cell(made.digest, "starts", MONDAY + timedelta(7 * wave), (wave,), counts)
        for wave in (0, 1)
    ]
    [step] = results(Record(made), cells).question("starts").changes
    errors = [part.told.numbers[0].standard_error for part in results(Record(made), cells).question(
        "starts").groups if part.n]  # fmt: skip
    least = least_covariance(made.questions[0].mechanism) / 4

    assert least < of_answers(2.0)
    expected = sum(error**2 for error in errors) - 2 * least / 500
    assert pytest.approx(expected) == step.change.standard_error**2


# The whole road


@pytest.fixture(params=[MEAN, BUCKETS, BUCKETS + "asked = 2"], ids=["cut", "all", "two"])
def counting(request, publisher_key) -> Survey:
    return load_survey(request.param + "\n", public_bytes(publisher_key))


@pytest.fixture
def http(config, store, counting, publisher_key):
    with serving(config, store, counting, publisher_key) as client:
        yield client


def post(http, survey: Survey, wave: int, values: list[int]) -> None:
    for at in range(0, len(values), 1000):
        part = tuple(values[at : at + 1000])
        ids = tuple(secrets.token_bytes(16) for _ in part)
        batch = Batch(survey.digest, ids, {"starts": part}, {"wave": (wave - 1,) * len(part)})
        body = encode_batch(batch, survey)
        answer = http.post("/v1/reports", data=body, content_type=REPORTS_TYPE)
        assert (200, len(part)) == (answer.status_code, answer.json["received"])


def test_an_estimate_of_every_wave_is_near_the_truth(http, store, counting):
    """4,000 devices, each with one memo, two waves: means within 5.03 standard errors.

    False alarm 1e-6. Recounted from the raw reports, the counters agree.
    """
    question = counting.questions[0]
    memos = [question.mechanism.memo(Coins()) for _ in range(4000)]
    answers = {wave: [(n + wave * (n % 3 == 0)) % 5 for n in range(4000)] for wave in (1, 2)}
    for wave, given in answers.items():
        pairs = zip(memos, given, strict=True)
        post(
            http,
            counting,
            wave,
            [question.through(m, question.place(x), Coins()) for m, x in pairs],
        )
    found = http.get("/v1/surveys/counters/results").json["questions"][0]

    for group in [g for g in found["groups"] if g["attribute"] == "wave" and g["n"]]:
        mean, truth = group["estimates"][0], answers[int(group["option"])]
        assert ("mean", 4000) == (mean["statistic"], group["n"])
        assert abs(mean["value"] - sum(truth) / 4000) < standard_errors(2) * mean["standard_error"]
    assert [(1, 2)] == [(step["from"], step["to"]) for step in found["changes"]]
    assert recount(store, "counters").agrees


def test_results_say_what_all_waves_and_what_reports_alone_cost(http, counting):
    """In JSON beside the odds of one report, and on the page in words."""
    mechanism = counting.questions[0].mechanism
    post(http, counting, 1, [mechanism.perturb(1) for _ in range(200)])
    design = http.get("/v1/surveys/counters/results").json["questions"][0]["design"]
    page = http.get("/surveys/counters").text

    assert {
        "odds": str(mechanism.odds),
        "odds_of_all_waves": str(mechanism.given_memo.odds**4),
        "odds_of_all_reports": str(mechanism.odds_of(4)),
    } == {key: value for key, value in design.items() if key.startswith("odds")}
    assert "They hold for someone who takes the device, too" in page
    assert "about answers that stay the same" in page


def test_devices_answer_wave_after_wave(http, store, counting, tmp_path):
    """Three devices in four waves, over HTTP: twelve reports, and all withdrawn by one call."""
    link = "https://survey.example/v1/surveys/counters"
    settings = {"transport": InProcess(http), "question_cap": 81}
    devices = [
        Client(link, counting.publisher.key, store=tmp_path / f"{n}.db", **settings)
        for n in range(3)
    ]
    for wave, client in product(range(1, 5), devices):
        assert client.answer({"starts": wave % 5}, wave=wave) is Outcome.QUEUED
        client.flush()
    waves = [part.n for part in results(store.survey("counters"), store.tally("counters"))
             .question("starts").groups]  # fmt: skip
    devices[0].withdraw()
    devices[0].flush(force=True)

    assert [3, 3, 3, 3] == waves
    assert 8 == store.survey("counters").reports
    assert recount(store, "counters").agrees


# Verification


def test_a_manifest_is_verified_at_what_whoever_takes_the_device_learns(counting, publisher_key):
    """Recomputed from every cell of what a report is through a memo, to the power of the waves."""
    found = verify(sign_manifest(counting.payload, publisher_key))
    mechanism, [cost] = counting.questions[0].mechanism, found.costs

    assert ("enumeration", found.odds) == (cost.proof, counting.odds)
    assert (mechanism.odds, mechanism.odds_of(4)) == (cost.once, cost.alone)
    assert str(cost.alone) == found.to_json()["questions"][0]["odds_of_all_reports"]


def test_a_claim_for_the_reports_alone_is_refused(counting, publisher_key):
    """The store may be taken, so they are not all that is promised."""
    alone = counting.questions[0].mechanism.odds_of(4)
    fields = strict_json.loads(counting.payload, 1 << 20) | {"odds": str(alone)}

    with pytest.raises(UnderstatedError, match="the manifest claims odds"):
        verify(sign_manifest(strict_json.dumps(fields), publisher_key))


def test_tossup_verify_says_for_whom_which_odds_hold(publisher_key, tmp_path):
    """Of one report, of all reports alone, and of everything."""
    made = load_survey(MEAN, public_bytes(publisher_key))
    path = tmp_path / "manifest"
    path.write_bytes(sign_manifest(made.payload, publisher_key))
    done = CliRunner().invoke(root, ["verify", str(path)])

    assert 0 == done.exit_code
    assert "of all reports" in done.stdout
    assert "1681/81:1" in done.stdout
    assert "also for whoever takes the device" in done.stdout


@pytest.mark.parametrize("name", ["one-bit-mean", "d-bit-flip"])
def test_mechanism_show_says_what_a_wave_is_charged(name):
    """Beside the odds of a report whose memo nobody has."""
    call = ["mechanism", "show", name, "--odds", "7/3", "--options", "4"]
    text, as_json = (CliRunner().invoke(root, [*call, *more]).stdout for more in ([], ["--json"]))

    assert {"odds": "3", "epsilon": "1.0987"} == json.loads(as_json)["given_memo"]
    assert "A wave, for whoever takes the device: odds 3:1 (epsilon 1.0987)" in text


# Simulation


@pytest.mark.parametrize(
    "design",
    [DBitFlip(3, 2, 9, 1, 3, 1), DBitFlip(4, 4, 3, 1, 32592, 18817), OneBitMean(4, 9, 1, 3, 2)],
    ids=str,
)
def test_simulated_reports_follow_the_channel(design):
    """Each cell of 100,000 reports an answer within 6 standard deviations: below 1e-6 for all."""
    n = 100_000
    for answer, row in enumerate(design.channel()):
        truth = [n if each == answer else 0 for each in range(design.points)]
        counts, chances = kernel_of(design).simulate(truth), np.array([float(c) for c in row])

        assert n == counts.sum()
        assert (np.abs(counts - n * chances) < 6 * np.sqrt(n * chances * (1 - chances))).all()
