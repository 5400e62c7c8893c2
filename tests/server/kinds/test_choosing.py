"""The whole road for choices by score, orders and cards: file, device, wire, tally, page."""

import json
import secrets
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import permutations

import pytest
from click.testing import CliRunner
from flask.testing import FlaskClient
from in_process import InProcess, send, serving
from sweeps import each

from tossup.client import Client, Outcome
from tossup.client.errors import AnswerRefused
from tossup.client.preview import preview
from tossup.server.cli.root import root
from tossup.server.estimation import estimate_answers
from tossup.server.ingest.recount import recount
from tossup.server.kernels import kernel_of
from tossup.server.refusals import Refused
from tossup.server.results import results
from tossup.server.surveys.file import load_survey
from tossup.server.surveys.lifecycle import publish
from tossup.server.surveys.verification import verify
from tossup.shared import strict_json
from tossup.shared.errors import ManifestError, WireError
from tossup.shared.kinds.ranking import Ranking
from tossup.shared.mechanisms import (
    MECHANISMS,
    Exponential,
    Kuk,
    NoisyMaxLaplace,
    PermuteAndFlip,
    RandomizedResponse,
    RankedChoice,
    ScoredChoice,
)
from tossup.shared.mechanisms.scores.base import in_a_row
from tossup.shared.mechanisms.scores.ranked_choice import order_of
from tossup.shared.signing import public_bytes, sign_manifest
from tossup.shared.survey import Option, Question, Survey
from tossup.shared.wire import (
    REPORTS_TYPE,
    WITHDRAWALS_TYPE,
    b64,
    encode_withdrawal,
)

DESIGNS = {
    "exponential": Exponential(in_a_row(4), 2),
    "permute": PermuteAndFlip(in_a_row(4), 2),
    "laplace": NoisyMaxLaplace(in_a_row(4), 2),
    "cards": Kuk(3, ((4, 1), (2, 3))),
    "order": RankedChoice((6, 4, 2)),
    "firsts": RankedChoice((3, 1)),
    "ten": RankedChoice.for_scores(Exponential, tuple(range(9, -1, -1)), Fraction(9)),
}
N = 3000


def text(words: str) -> dict[str, str]:
    return {"en": words}


def question(name: str) -> Question:
    design = DESIGNS[name]
    count = {Kuk: 0, RankedChoice: design.reports}.get(type(design), design.answers)
    options = tuple(Option(f"o{place}", text(f"Option {place}")) for place in range(count))
    ids = tuple(option.id for option in options)
    domain = Ranking(ids) if isinstance(design, RankedChoice) else None
    return Question(name, name, text(name), options, design, domain)


@pytest.fixture(scope="module")
def choosing(survey: Survey) -> Survey:
    """A survey that asks one question with each mechanism."""
    questions = tuple(question(name) for name in DESIGNS)
    return replace(survey, id="choosing", questions=questions, attributes=(), results="public")


@pytest.fixture
def http(config, store, choosing: Survey, publisher_key) -> Iterator[FlaskClient]:
    with serving(config, store, choosing, publisher_key) as client:
        yield client


@pytest.fixture
def device(http, choosing, tmp_path) -> Client:
    return Client(
        "https://survey.example/v1/surveys/choosing",
        choosing.publisher.key,
        store=tmp_path / "device.db",
        transport=InProcess(http),
        strict=True,
        question_cap=Fraction(10**9),
        publisher_cap=Fraction(10**9),
        device_cap=Fraction(10**9),
    )


def held(name: str) -> list[int]:
    """How many of the respondents have each of the first answers: half the first one."""
    answers = min(DESIGNS[name].answers, 24)
    rest = [N // 2 // (answers - 1)] * (answers - 1)
    rest[-1] += N // 2 - sum(rest)
    return [N // 2, *rest]


def perturbed(name: str) -> list[int]:
    design = DESIGNS[name]
    return [design.perturb(a) for a, holders in enumerate(held(name)) for _ in range(holders)]


def truths(name: str) -> list[float]:
    """The true shares of the answers, or the true mean points of the options."""
    design, holders = DESIGNS[name], held(name)
    if not isinstance(design, RankedChoice):
        return [share / N for share in holders]
    points = [0.0] * design.options
    for answer, share in enumerate(holders):
        for rank, option in enumerate(order_of(answer, design.options)):
            points[option] += float(design.points[rank]) * share / N
    return points


def test_every_mechanism_of_this_kind_is_on_the_road():
    """A new choice by score cannot be left out here."""
    kinds = {kind for kind in MECHANISMS.values() if issubclass(kind, ScoredChoice)}

    assert {*kinds, Kuk, RankedChoice} == {type(design) for design in DESIGNS.values()}


def test_truths_are_in_the_intervals(http, store, choosing):
    """For 3,000 respondents to each question, every true share or mean of points is inside.

    Intervals hold together with 1 - 1e-7 a question, so that a false alarm comes in at most 1e-6
    of runs.
    """
    for name in DESIGNS:
        send(http, choosing, name, perturbed(name))

    found = results(store.survey("choosing"), store.tally("choosing"))
    assert recount(store, "choosing").agrees
    for name, design in DESIGNS.items():
        total = found.question(name).total
        shares = estimate_answers(total.counts, design)
        intervals = [
            share.shared_interval(1 - 1e-7, share.usual, among=len(shares)) for share in shares
        ]
        assert N == total.n
        outside = [t for t, i in zip(truths(name), intervals, strict=True) if t not in i]
        assert outside == []


def test_a_device_answers_every_kind(device, store):
    """The SDK shows, tosses, stores and sends each report; each is counted once."""
    ten = [f"o{place}" for place in (3, 1, 4, 0, 5, 9, 2, 6, 8, 7)]
    asked = {"exponential": "o1", "permute": "o3", "laplace": "o0", "cards": True}
    asked |= {"order": ["o2", "o0", "o1"], "firsts": ("o1", "o0"), "ten": ten}

    assert Outcome.QUEUED == device.answer(asked)
    assert len(DESIGNS) == device.flush().sent == store.survey("choosing").reports
    for cell in store.tally("choosing"):
        assert 1 == DESIGNS[cell.question].reports_counted(cell.counts)
    assert recount(store, "choosing").agrees


@pytest.mark.parametrize(
    "answer",
    [
        ["o0", "o1"],
        ["o0", "o1", "o2", "o2"],
        ["o0", "o0", "o1"],
        ["o0", "o1", "o3"],
        [0, 1, 2],
        ["o0", "o1", b"o2"],
        "o0>o1>o2",
        {"o0", "o1", "o2"},
        {"o0": 1, "o1": 2, "o2": 3},
        None,
        True,
        3,
    ],
)
def test_what_is_no_order_is_refused_before_a_toss(device, answer):
    """All options, once each, in a list or tuple; the message does not show the answer."""
    with pytest.raises(AnswerRefused, match="best first") as refusal:
        device.answer({"order": answer})

    assert repr(answer) not in str(refusal.value)
    assert 0 == device.flush().sent


@pytest.mark.parametrize("name", DESIGNS)
def test_a_withdrawal_takes_all_that_a_report_added(http, store, choosing, name):
    """Every counter goes back to what it was without the report."""
    reports = [DESIGNS[name].perturb(place % 2) for place in range(40)]
    kept = send(http, choosing, name, reports)
    before = store.tally("choosing")
    more = send(http, choosing, name, [DESIGNS[name].perturb(1) for _ in range(10)])
    body = encode_withdrawal("choosing", more)
    answer = http.post("/v1/withdrawals", data=body, content_type=WITHDRAWALS_TYPE)

    assert 200 == answer.status_code
    assert before == store.tally("choosing")
    assert len(kept) == store.survey("choosing").reports


@pytest.mark.parametrize("name", [name for name in DESIGNS if DESIGNS[name].reports > 2])
def test_an_impossible_report_changes_nothing(http, store, choosing, name):
    """One above the largest, beside a good one: 400, and nothing is stored."""
    design = DESIGNS[name]
    body = strict_json.dumps(
        {
            "v": 1,
            "manifest": choosing.digest,
            "ids": b64(secrets.token_bytes(32)),
            "columns": {name: b64(bytes([0, design.reports]))},
        }
    )
    answer = http.post("/v1/reports", data=body, content_type=REPORTS_TYPE)

    assert (400, "urn:tossup:error:malformed") == (answer.status_code, answer.json["type"])
    assert 0 == store.survey("choosing").reports


@pytest.fixture
def filled(http, choosing) -> FlaskClient:
    """150 reports to every question, all from its first answer."""
    for name, design in DESIGNS.items():
        send(http, choosing, name, [design.perturb(0) for _ in range(150)])
    return http


@pytest.mark.parametrize("looks", ["one", "every"])
def test_results_over_http_say_what_is_estimated(filled, looks: str):
    """Channel, estimator, method and points of every kind; at every look together as well."""
    document = filled.get(f"/v1/surveys/choosing/results?looks={looks}").json
    found = {part["id"]: part for part in document["questions"]}

    for name, design in DESIGNS.items():
        part = found[name]
        assert (150, design.spec()) == (part["n"], part["design"]["mechanism"])
        assert sum(part["counts"]) == 150
        for line in part["estimates"]:
            assert line["n"] == 150
            assert line["low"] <= line["high"]
            assert 0 <= line["shown_low"] <= line["shown_value"] <= line["shown_high"] <= 1
            assert looks == "one" or line["method"] == "anytime"
    assert ["1", "1/2", "0"] == found["order"]["design"]["points"]
    assert {"of": "all"} == found["order"]["ranking"]
    assert "points" not in found["permute"]["design"]
    assert [None] == [line["reports"] for line in found["cards"]["estimates"]]
    assert 4 == len(found["cards"]["design"]["channel"][0])
    assert 4 == len(found["permute"]["design"]["channel"])
    assert "forged" in found["permute"]["estimates"][0]
    assert "forged" not in found["order"]["estimates"][0]


def test_the_csv_has_a_row_an_option(filled):
    """Rates only where a report names the answer or not; mean points of orders as values.

    An option that stands first is named by 1 report in 2, one that stands last by 1 in 6: its
    points of at most 1 are as far as its share of the reports lies between the two.
    """
    import csv
    from io import StringIO

    document = filled.get("/v1/surveys/choosing/results").json
    (named,) = (part["counts"][0] for part in document["questions"] if part["id"] == "order")
    table = filled.get("/v1/surveys/choosing/results.csv").text
    rows = list(csv.DictReader(StringIO(table)))
    totals = {(row["question"], row["answer"]): row for row in rows if not row["day"]}

    assert "1 in 2" == totals["order", "o0"]["named"]
    assert "" == totals["permute", "o0"]["named"] == totals["cards", "yes"]["named"]
    assert "150" == totals["cards", "yes"]["n"]
    points = (named / 150 - 1 / 6) / (1 / 2 - 1 / 6)
    assert float(totals["order", "o0"]["value"]) == pytest.approx(points)


def test_the_page_shows_every_kind_in_words(filled):
    """Points by rank, no claim of first ranks where they are not told, cards and scores."""
    page = filled.get("/surveys/choosing").text

    assert "By rank, the first one first, an option gets 100, 50, 0 points of 100." in page
    assert "orders with the same mean points cannot be told apart" in page
    assert "Here they are the share of people who rank the option first." in page
    assert "3 cards are drawn, and how many are red is sent." in page
    assert "likelier one with a high score for the true answer" in page
    assert "of 100 points: " in page
    for design in DESIGNS.values():
        assert design.name in page


def test_the_page_in_chinese_has_no_english_words_of_its_own(filled):
    """Every new text is translated."""
    page = filled.get("/surveys/choosing?lang=zh-Hans").text

    for words in ("points of 100", "cards are drawn", "high score", "ranked highest", "by rank"):
        assert words not in page


def test_previews_say_what_can_be_sent(choosing):
    """Chances of every answer, of every number of red cards, and of every rank."""
    shown = str(preview(choosing))

    assert "    Option 0 is sent 8 of 15 times\n" in shown
    assert "    0 red cards of 3 is sent 64 of 125 times\n" in shown
    assert "    your number 1 is sent 50 of 100 times\n" in shown
    assert "an order of Option 0, Option 1, Option 2; one of them alone is sent:" in shown
    assert "of 4294967296 times" not in shown


def test_verification_recomputes_every_guarantee(choosing, publisher_key):
    """From the signed bytes alone; by enumeration but for the 3,628,800 orders of ten."""
    found = verify(sign_manifest(choosing.payload, publisher_key))

    assert choosing.odds == found.odds
    proofs = {cost.question: cost.proof for cost in found.costs}
    assert "formula" == proofs.pop("ten")
    assert {"enumeration"} == set(proofs.values())


def test_populations_with_equal_points_cannot_be_told_apart():
    """Half a > b > c and half c > b > a: the same reports as from all six orders alike.

    Yet the first ranks are 1/2, 0, 1/2 and 1/3 each, so no estimate of them can be right.
    """
    mechanism = RankedChoice((3, 2, 1))
    orders = list(permutations(range(3)))

    def mixed(answers: list[int]) -> list[Fraction]:
        return [
            sum((mechanism.probability(a, y) for a in answers), Fraction(0)) / len(answers)
            for y in range(3)
        ]

    ends = [orders.index((0, 1, 2)), orders.index((2, 1, 0))]
    assert mixed(list(range(6))) == mixed(ends)


def yes_given(x: int, w: int, *, asked: Fraction, forced: Fraction, innocent: Fraction) -> Fraction:
    """How likely an unrelated question design reports yes, given both answers."""
    return forced + asked * x + innocent * w


@pytest.mark.parametrize("asked", [Fraction(1, 10), Fraction(1, 2), Fraction(9, 10)])
def test_an_unrelated_question_has_no_finite_odds(asked: Fraction):
    """Who knows the innocent answer is told the sensitive one by some reports, whatever p is."""
    parts = {"asked": asked, "forced": Fraction(0), "innocent": 1 - asked}

    assert yes_given(0, 0, **parts) == 0 < yes_given(1, 0, **parts)
    assert 1 - yes_given(1, 1, **parts) == 0 < 1 - yes_given(0, 1, **parts)


@pytest.mark.parametrize("asked", [Fraction(1, 4), Fraction(2, 5)])
def test_a_forced_unrelated_question_is_worse_than_randomized_response(asked: Fraction):
    """With forced answers its odds are finite, and those of a design with a larger gap."""
    forced = Fraction(1, 4)
    innocent = 1 - 2 * forced - asked
    parts = {"asked": asked, "forced": forced, "innocent": innocent}
    yes = [yes_given(x, w, **parts) for x in (0, 1) for w in (0, 1)]
    odds = max(max(yes) / min(yes), (1 - min(yes)) / (1 - max(yes)))
    plain = RandomizedResponse.forced_response(forced, forced)
    (_, q), (_, p) = plain.channel()

    assert plain.odds == odds == 3
    assert p - q == asked + innocent > asked

    alone = max(yes_given(1, w, **parts) / yes_given(0, w, **parts) for w in (0, 1))
    warner = RandomizedResponse.warner(alone / (1 + alone))
    (_, q), (_, p) = warner.channel()
    assert warner.odds == alone < odds
    assert p - q == asked / (2 * forced + asked) > asked


def test_simulated_orders_follow_the_weights_by_rank():
    """Weights of all but 2 in 2**32: 1,000 reports of each order name its first option.

    Any other comes in at most 1 of 10**6 runs.
    """
    kernel = kernel_of(RankedChoice(((1 << 32) - 2, 1, 1)))
    truth = [0] * 6
    truth[4] = 1000  # third, first, second

    assert [0, 0, 1000] == kernel.simulate(truth).tolist()
    assert [0, 0, 0] == kernel.simulate([0] * 6).tolist()


@pytest.mark.parametrize(
    ("domain", "mechanism", "options"),
    [
        (None, RankedChoice((3, 1)), 2),
        (Ranking(("o0", "o1")), Exponential(in_a_row(2), 3), 2),
        (Ranking(("o0", "o1", "o2")), RankedChoice((3, 1)), 3),
        (Ranking(("o1", "o0")), RankedChoice((3, 1)), 2),
        (None, Kuk(2, ((2, 1), (1, 2))), 3),
    ],
)
def test_mechanisms_of_other_answers_are_refused(survey, domain, mechanism, options):
    """An order's mechanism is for orders of these options in their order, and for no choice."""
    parts = tuple(Option(f"o{place}", text("?")) for place in range(options))
    wrong = Question("q", "q", text("?"), parts, mechanism, domain)

    with pytest.raises(ManifestError):
        replace(survey, questions=(wrong,))


@each("ranking", [{}, {"of": "some"}, {"of": "all", "more": 1}, None, "all", []])
def test_a_manifest_says_exactly_what_is_ordered(ranking):
    """Orders of all options are the only ones of this version."""
    with pytest.raises((WireError, ManifestError)):
        Ranking.from_json(ranking, ("a", "b"))


def test_a_design_that_tells_no_shares_is_not_published(store, survey, publisher_key):
    """Four answers around a ring, each at home in two options: two mixtures look the same."""
    utility = ((2, 2, 0, 0), (0, 2, 2, 0), (0, 0, 2, 2), (2, 0, 0, 2))
    parts = tuple(Option(f"o{place}", text("?")) for place in range(4))
    ring = Question("ring", "ring", text("?"), parts, Exponential(utility, 3))
    payload = replace(survey, questions=(ring,)).payload

    with pytest.raises(Refused, match=r"'ring'.*do not tell the shares"):
        publish(store, sign_manifest(payload, publisher_key))


FILE = """
id = "towns"
title = "Towns"
purpose = "To learn where people go."
publisher = { name = "Example University", contact = "irb@example.org" }

[[question]]
id = "town"
text = "Which town?"
answers = ["Ash", "Birch", "Cedar"]
mechanism = "permute-and-flip"
distances = [[0, 1, 5], [1, 0, 4], [5, 4, 0]]

[[question]]
id = "order"
text = "In which order?"
answers = { ranking = ["Bus", "Tram", "Bike"] }

[[question]]
id = "tried"
text = "Tried?"
mechanism = "kuk"
cards = 2
odds = 4
"""


def tossup(*arguments: str, **options):
    return CliRunner().invoke(root, list(arguments), **options)


def test_a_survey_file_becomes_these_mechanisms(publisher_key):
    """A place by distances, an order with equal steps, and opposite decks of cards."""
    town, order, tried = load_survey(FILE, public_bytes(publisher_key)).questions

    assert PermuteAndFlip.name == town.mechanism.name
    assert ((0, -1, -5), (-1, 0, -4), (-5, -4, 0)) == town.mechanism.utility
    assert (RankedChoice((6, 4, 2)), Ranking(("bus", "tram", "bike"))) == (
        order.mechanism,
        order.domain,
    )
    assert Kuk(2, ((2, 1), (1, 2))) == tried.mechanism


def test_simulation_shows_truth_beside_estimate(tmp_path):
    """Shares of places and yes, and mean points of orders, from a survey file."""
    path = tmp_path / "survey.toml"
    path.write_text(FILE)
    done = tossup(
        *("simulate", str(path), "-n", "100000", "--json", "--truth", "town=0.5,0.3,0.2"),
        *("--truth", "order=bus>tram>bike,tram>bus>bike", "--truth", "tried=0.3"),
    )
    rows = {row["id"]: row for row in json.loads(done.stdout)["questions"]}

    assert {"share", "points"} == {row["unit"] for row in rows.values()}
    assert (0.75, 0.75, 0) == tuple(rows[f"order/{o}"]["truth"] for o in ("bus", "tram", "bike"))
    assert 0.3 == rows["tried"]["truth"]
    assert all(abs(row["estimate"] - row["truth"]) < 0.2 for row in rows.values())


def test_the_same_noise_has_two_names_in_a_survey_file(publisher_key):
    """Noisy max with exponential noise is permute-and-flip, as its proof page shows."""
    other = FILE.replace('"permute-and-flip"', '"noisy-max-exponential"')
    one, two = (load_survey(t, public_bytes(publisher_key)).questions[0] for t in (FILE, other))

    assert one.mechanism == two.mechanism
    shown = tossup("mechanism", "show", "noisy-max-exponential", "--options", "3", "--json")
    assert "permute-and-flip/1" == json.loads(shown.stdout)["name"]


@pytest.mark.parametrize(
    ("kind", "answers", "arguments"),
    [
        ("exponential", 3, ()),
        ("permute-and-flip", 4, ()),
        ("noisy-max-laplace", 3, ("--odds", "9")),
        ("ranked-choice", 3, ()),
        ("kuk", 2, ("--set", "cards=2", "--set", "decks=[[2,1],[1,2]]")),
    ],
)
def test_the_shipped_programs_pass_their_audit(kind, answers: int, arguments):
    """5,000 trials of every answer; a correct program is refused with at most 1e-6."""
    done = tossup(
        *("audit", "--self", "--mechanism", kind, "--options", str(answers)),
        *("--trials", "5000", "--json", *arguments),
    )

    assert json.loads(done.stdout)["accepted"]
    assert 0 == done.exit_code


HEAD = FILE.partition("[[question]]")[0] + '[[question]]\nid = "q"\ntext = "?"\n'


@each(
    "lines, reason",
    [
        (
            'mechanism = "unrelated-question"',
            "takes prevalence.*refused on a device.*unrelated_unknown",
        ),
        ('mechanism = "kuk"', "takes cards"),
        ('mechanism = "kuk"\ncards = 1', "one card is randomized response|draws 2 to 16"),
        ('mechanism = "kuk"\ncards = "2"', "draws 2 to 16"),
        ('mechanism = "kuk"\ncards = 9\nodds = 3', "use fewer cards or higher odds"),
        ('mechanism = "kuk"\ncards = 2\nweights = [[3, 1], [3, 1]]', "every answer gives"),
        ('mechanism = "kuk"\ncards = 2\nweights = [3, 1]', "no_black, no_red"),
        ("cards = 2", "takes cards with mechanism kuk alone"),
        ('answers = ["A", "B"]\nmechanism = "kuk"\ncards = 2', "does not fit its answers"),
        ('mechanism = "exponential"', "does not fit its answers"),
        ('answers = ["A", "B"]\nmechanism = "exponential"', "takes utility.*or distances"),
        ('answers = ["A", "B"]\nutility = [[1, 0], [0, 1]]', "takes utility with mechanism"),
        (
            'answers = ["A", "B"]\nmechanism = "exponential"\nutility = [[1, 0]]',
            "must have 2 rows of 2 integers",
        ),
        (
            'answers = ["A", "B"]\nmechanism = "exponential"\nutility = [[1, 0.5], [0, 1]]',
            "must be integers",
        ),
        ('answers = ["A", "B"]\nmechanism = "exponential"\nutility = 3', "must be a list of rows"),
        (
            'answers = ["A", "B"]\nmechanism = "exponential"\nutility = [[0, 1], [1, 0]]',
            "a lower score for itself",
        ),
        (
            'answers = ["A", "B"]\nmechanism = "exponential"\ndistances = [[0, 1], [2, 0]]',
            "the same both ways",
        ),
        (
            'answers = ["A", "B"]\nmechanism = "exponential"\ndistances = [[0, -1], [-1, 0]]',
            "must not be negative",
        ),
        (
            'answers = ["A", "B"]\nmechanism = "exponential"\ndistances = [[1, 1], [1, 1]]',
            "from itself must be 0",
        ),
        (
            'answers = ["A", "B"]\nmechanism = "exponential"\ndistances = [[0, 1], [1, 0]]'
            "\nodds = 1",
            "must be above 1",
        ),
        (
            'answers = ["A", "B", "C", "D"]\nmechanism = "exponential"\n'
            "utility = [[2, 2, 0, 0], [0, 2, 2, 0], [0, 0, 2, 2], [2, 0, 0, 2]]",
            "do not tell the shares",
        ),
        *(
            (
                f'answers = ["A", "B", "C"]\nmechanism = "exponential"\n{key} = {table}',
                f"line 12, question 'q': rows {rows} of utility",
            )
            for key, table, rows in (
                ("utility", "[[0, 0, 0], [0, 0, 0], [0, 0, 0]]", "1, 2, 3"),
                ("utility", "[[0, -1, -1], [3, 4, 4], [1, 2, 2]]", "2, 3"),
                ("distances", "[[0, 1, 0], [1, 0, 1], [0, 1, 0]]", "1, 3"),
            )
        ),
        ('answers = { ranking = ["A"] }', "2 to 10 options"),
        ('answers = { ranking = ["A", "B"], scores = [1] }', "one a rank"),
        ('answers = { ranking = ["A", "B"], scores = [1, 0] }', "has its own scores"),
        ('answers = { ranking = ["A", "B"], scores = ["1", 0] }', "ranking = "),
        ('answers = { ranking = ["A", "B"], more = 1 }', "ranking = "),
        ('answers = { ranking = ["A", "B"] }\nmechanism = "k-ary"', "does not fit an order"),
        ('answers = { ranking = ["A", "B"] }\nodds = 1', "must be above 1"),
        ('answers = { ranking = ["A", "B"] }\ncards = 2', "no cards"),
        ('answers = { ranking = ["A", "B"] }\nutility = [[1]]', "no utility"),
        ('answers = ["A", "B"]\nmechanism = "linear"', "does not fit its answers"),
    ],
)
def test_nonsense_in_a_survey_file_is_refused_with_a_reason(lines: str, reason: str):
    """Named by the question, and what would do instead."""
    from tossup.server.surveys.reading.tables import SurveyFileError

    with pytest.raises(SurveyFileError, match=reason):
        load_survey(HEAD + lines, bytes(32))


@pytest.mark.parametrize(
    ("lines", "mechanism"),
    [
        ('answers = { ranking = ["A", "B"] }\nmechanism = "first"\nodds = 5', RankedChoice((5, 1))),
        (
            'answers = { ranking = ["A", "B", "C"], scores = [1, 0, 0] }\n'
            'mechanism = "exponential"',
            RankedChoice((3, 1, 1)),
        ),
        (
            'answers = { ranking = true }\noption = [{ id = "a", label = "A" },'
            ' { id = "b", label = "B" }]\nepsilon = 1',
            RankedChoice((2721, 1001)),
        ),
        (
            'mechanism = "kuk"\ncards = 3\nweights = [[4, 1], [2, 3]]',
            Kuk(3, ((4, 1), (2, 3))),
        ),
        (
            'answers = ["A", "B", "C"]\nmechanism = "exponential"\n'
            "utility = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]",
            Exponential(((1, 0, 0), (0, 1, 0), (0, 0, 1)), 3),
        ),
    ],
)
def test_survey_files_say_it_in_several_ways(lines: str, mechanism):
    """Weights by rank from scores or for first ranks, options with ids, decks as weights."""
    text = "question_cap = 27\n" + HEAD + lines
    assert mechanism == load_survey(text, bytes(32)).questions[0].mechanism
