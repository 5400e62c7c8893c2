"""The browser's mechanisms are Python's: the same bytes, the same channels, the same refusals."""

import gzip
import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import accumulate
from pathlib import Path

import pytest
from browsing import patient
from engines import ENGINES, told_by
from scipy.stats import binom

from tossup.shared.coins import Coins
from tossup.shared.errors import MechanismError, TossupError
from tossup.shared.kinds import FROM_JSON, of_options
from tossup.shared.mechanisms import (
    MECHANISMS,
    Duchi,
    HadamardResponse,
    KaryRandomizedResponse,
    Mechanism,
    TwoCoin,
    from_spec,
)
from tossup.shared.mechanisms.drawn import DrawnTable

HERE = Path(__file__).parent
VECTORS = Path(__file__).parents[3] / "shared/tossup/shared/vectors"

#: Its tables have 2**32 draws, too many to go through: every step is tried on both sides instead.
ONLY_AT_BOUNDS = {"noisy-max-laplace/1"}
#: What browsers toss for. They refuse a survey that names another before they ask anything.
NAMES = [name for name, each in MECHANISMS.items() if each.in_browsers]

Asked = list[tuple[str, object]]


def examples() -> Iterator[Mechanism]:
    for name in NAMES:
        yield from MECHANISMS[name].examples()


def stated(mechanism: Mechanism) -> dict[str, object]:
    return {"spec": mechanism.spec(), "answers": str(mechanism.answers)}


def answers_of(mechanism: Mechanism, most: int) -> list[int]:
    answers = range(min(mechanism.answers, most))
    return [answer for answer in answers if mechanism.is_answer(answer)]


@pytest.fixture(scope="module")
def ask(built):
    """The function that asks the built SDK in Node."""
    sdk = built / "package/readable/testing.js"

    def ask(asked: Asked) -> list:
        command = ["node", HERE / "ask.mjs", sdk]
        run = subprocess.run(
            command, input=json.dumps(asked), capture_output=True, text=True, check=False
        )
        assert run.returncode == 0, run.stderr
        return json.loads(run.stdout)

    return ask


#: Runs of choices, roundings of numbers, and texts: vectors that belong to no mechanism.
SMALL_VECTORS: Asked = [
    (function, json.loads((VECTORS / f"{name}.json").read_text(encoding="utf-8")))
    for function, name in (("choices", "coins"), ("grids", "grid"), ("texts", "text"))
]


def in_parts(found: list) -> tuple[list, list, list, list]:
    """Return what is wrong with the small vectors, each, and what the designs' replays found."""
    choices, grids, texts, *designs = found
    return choices, grids, texts, designs


def vector_cases() -> Asked:
    """Every design of the vectors; answers are written as texts, which keep all digits."""
    cases: Asked = []
    for name in NAMES:
        file = json.loads((VECTORS / f"{name.replace('/', '-')}.json").read_text())
        for design in file["designs"]:
            tried = [str(answer) for answer in design["tried"]]
            cases.append(("replay", design | {"tried": tried, "answers": str(design["answers"])}))
    return cases


def check_replayed(found: Sequence[dict]) -> None:
    wrong = [line for design in found for line in design["wrong"]]

    assert wrong == []
    assert sum(design["cases"] for design in found) >= 2000


def test_every_vector_replays_in_node(ask):
    """The same bytes give the same reports, and as many are drawn whatever the answer."""
    *wrong, found = in_parts(ask([*SMALL_VECTORS, *vector_cases()]))

    assert wrong == [[], [], []]
    check_replayed(found)


def test_every_vector_replays_in_chromium(built, browser):
    """A real browser makes the reports that Node makes."""
    page = patient(browser).new_page()
    folders = {"sdk": built / "package/readable", "tests": HERE}

    def serve(route) -> None:
        _, folder, name = re.split(r"http://vectors\.test/(\w+)/", route.request.url)
        body = (folders[folder] / name).read_text() if name != "page" else "<title>Vectors</title>"
        kind = "text/html" if name == "page" else "text/javascript"
        route.fulfill(body=body, content_type=kind)

    page.route("**/*", serve)
    page.goto("http://vectors.test/tests/page")
    found = page.evaluate(
        """async (cases) => {
            const sdk = await import("/sdk/testing.js");
            const mechanisms = await import("/tests/mechanisms.mjs");
            const found = [];
            for (const [name, design] of cases) found.push(await mechanisms[name](sdk, design));
            return found;
        }""",
        [list(case) for case in (*SMALL_VECTORS, *vector_cases())],
    )
    page.context.close()
    *wrong, found = in_parts(found)

    assert wrong == [[], [], []]
    check_replayed(found)


#: Replays the cases in a page of an engine, and tells what is found or what went wrong.
IN_A_PAGE = """
import * as sdk from "/sdk/readable/testing.js";
const replaying = { choices, grids, texts, replay };
const all = async () => {
  const found = [];
  for (const [name, design] of CASES) found.push(await replaying[name](sdk, design));
  return found;
};
const found = await all().catch((error) => `${error.stack}`);
await fetch("/told", { method: "POST", body: JSON.stringify(found) });
"""


@pytest.mark.prove
@pytest.mark.parametrize("engine", sorted(set(ENGINES) - {"chromium"}))
def test_every_vector_replays_in_the_other_engines(site, tmp_path, engine):
    """Firefox and WebKit make the reports that Node and Chromium make."""
    functions = (HERE / "mechanisms.mjs").read_text().replace("export ", "")
    cases = json.dumps([*SMALL_VECTORS, *vector_cases()]).replace("<", "\\u003c")
    script = f"const CASES = {cases};\n{functions}{IN_A_PAGE}"
    site.content = f'<script type="module">{script}</script>'.encode()
    *wrong, found = in_parts(told_by(engine, tmp_path, site.host, site.told))

    assert wrong == [[], [], []]
    check_replayed(found)


def test_browsers_have_what_mechanisms_say_that_they_have():
    """A new mechanism has a twin, or says `in_browsers = False`: authors are told so."""
    registry = (HERE.parents[2] / "client/web/src/mechanisms/registry.ts").read_text()
    known = re.findall(r'"([a-z-]+/[0-9]+)": \(\) => import\("\./([a-z-]+)\.js"\)', registry)

    assert [name for name, _ in known] == NAMES, "one file a mechanism, and a line in registry.ts"
    assert all(name == f"{stem}/1" for name, stem in known)


def test_the_channel_is_exact(ask):
    """Over all strings of choices, every report comes exactly as often as Python says."""
    designs = [mechanism for mechanism in examples() if mechanism.answers <= 64]
    of = [{"answers": [str(a) for a in answers_of(m, 64)][:4], "most": 2000} for m in designs]
    found = ask(
        [("ask", stated(m) | {"channelOf": each}) for m, each in zip(designs, of, strict=True)]
    )
    walked = set()
    for mechanism, each, rows in zip(designs, of, found, strict=True):
        for answer, row in zip(each["answers"], rows, strict=True):
            for report, ways in (row or {}).items():
                walked.add(mechanism.name)
                chance = sum(Fraction(count, int(total)) for total, count in ways.items())
                assert chance == mechanism.probability(int(answer), int(report)), mechanism

    left = set(NAMES) - walked
    assert left == ONLY_AT_BOUNDS, "too many strings to go through"


#: How many tosses all mechanisms of a kind of answer make together.
TOSSES = 10**6
FALSE_ALARM = 1e-6


@pytest.mark.prove
def test_real_coins_fall_as_often_as_they_must(ask):
    """A million tosses for each kind of answer: every count within its exact band.

    Binomial tails, shared among all counts: a right SDK fails once in a million runs.
    """
    designs = [few_reports(MECHANISMS[name].examples()) for name in NAMES]
    kinds = [mechanism.answer_kind for mechanism in designs]
    tosses = [TOSSES // kinds.count(kind) for kind in kinds]
    answers = [last_answer(mechanism) for mechanism in designs]
    cases = [
        ("ask", stated(m) | {"tossed": {"answer": str(answer), "tosses": n}})
        for m, answer, n in zip(designs, answers, tosses, strict=True)
    ]
    found = ask(cases)
    share = FALSE_ALARM / sum(map(len, found)) / 2
    for mechanism, answer, n, counts in zip(designs, answers, tosses, found, strict=True):
        for report, count in enumerate(counts):
            chance = float(mechanism.probability(answer, report))
            tails = (binom.cdf(count, n, chance), binom.sf(count - 1, n, chance))
            assert min(tails) > share, (mechanism, report, count, chance)


def few_reports(designs: Sequence[Mechanism]) -> Mechanism:
    """Return the design with nearest to eight reports: many tosses for each, and cheap ones."""
    return min(designs, key=lambda design: abs(design.reports - 8))


def last_answer(mechanism: Mechanism) -> int:
    """Return the highest number of an answer."""
    return next(filter(mechanism.is_answer, range(mechanism.answers - 1, -1, -1)))


def test_tables_step_where_the_weights_say(ask):
    """A draw on either side of every bound gives the report on its side."""
    tables = [m for m in examples() if isinstance(m, DrawnTable) and m.answers <= 32]
    asked, wanted = [], []
    for mechanism in tables:
        for answer in {0, mechanism.answers - 1}:
            bounds = list(accumulate(mechanism.weights[answer]))
            draws = [draw for bound in bounds[:-1] for draw in (bound - 1, bound)]
            drawn = {"answer": str(answer), "draws": draws}
            asked.append(("ask", stated(mechanism) | {"drawsOf": drawn}))
            wanted.append([str(sum(draw >= bound for bound in bounds)) for draw in draws])

    assert ask(asked) == wanted


def test_bytes_drawn_never_depend_on_the_answer(ask):
    """All answers of small domains, and 33 of others, draw as many bytes from the same stream."""
    streams = [(b"\xff" * 5).hex(), bytes(range(251)).hex()]
    asked = [
        (
            "ask",
            stated(m)
            | {"drawn": {"answers": [str(a) for a in answers_of(m, 33)], "streams": streams}},
        )
        for m in examples()
    ]
    for mechanism, rows in zip(examples(), ask(asked), strict=True):
        assert all(len(set(row)) == 1 for row in rows), mechanism


def changed(mechanism: Mechanism) -> Iterator[dict[str, object]]:
    """Parameters that are wrong, or just at an edge, one at a time."""
    spec = mechanism.spec()
    yield {**spec, "more": 1}
    for key in spec:
        if key == "name":
            continue
        yield {name: value for name, value in spec.items() if name != key}
        value = spec[key]
        for other in (
            0,
            -1,
            1,
            2,
            3,
            1 << 32,
            (1 << 32) - 1,
            (1 << 53) - 1,
            1.5,
            "1",
            None,
            True,
            [],
            {},
        ):
            yield {**spec, key: other}
        if isinstance(value, int):
            yield from ({**spec, key: value + more} for more in (-1, 1, value))
        if isinstance(value, list):
            yield {**spec, key: value[:-1]}
            yield {**spec, key: [*value, value[-1]]}
            yield {**spec, key: value[::-1]}
            if isinstance(value[0], int):
                yield from (
                    {**spec, key: [value[0] + more, *value[1:]]} for more in (-1, 1, 1 << 31)
                )
            else:
                yield {**spec, key: [value[0], value[0], *value[2:]]}


def verdict(spec: dict[str, object], answers: int) -> str:
    try:
        mechanism = from_spec(spec, answers)
    except MechanismError:
        return "refused"
    return f"made: {mechanism.odds} {mechanism.reports}"


def test_browsers_refuse_what_python_refuses(ask):
    """Parameters changed one at a time are refused by both, or mean the same odds to both."""
    cases = [
        (spec, answers)
        for name in NAMES
        for mechanism in MECHANISMS[name].examples()[:2]
        if mechanism.answers <= 1 << 16
        for answers, specs in (
            (mechanism.answers, list(changed(mechanism))),
            (mechanism.answers + 1, [mechanism.spec()]),
            (1, [mechanism.spec()]),
        )
        for spec in specs
    ]
    asked = [("ask", {"spec": spec, "answers": str(n), "verdict": True}) for spec, n in cases]
    differ = [
        (spec, answers, wanted, found)
        for (spec, answers), found in zip(cases, ask(asked), strict=True)
        if (wanted := verdict(spec, answers)) != (found if found.startswith("made") else "refused")
        or not found.startswith(("made", "refused"))
    ]

    assert differ == []
    assert len(cases) > 1000


def test_modules_stay_small(built):
    """A mechanism costs a page 1.5 KB on average, with all that mechanisms share."""
    served = built / "served"
    core = (served / "index.js").read_text()
    needed: set[Path] = set()
    for stem in [name.partition("/")[0] for name in NAMES]:
        needed |= with_imports(served / f"mechanisms/{stem}.js")
    beside = {path for path in needed if path.name not in core}
    sizes = {path.name: len(gzip.compress(path.read_bytes(), 9)) for path in beside}

    assert sum(sizes.values()) <= 1536 * len(NAMES), sizes
    assert max(sizes.values()) <= 2048, sizes


def with_imports(path: Path) -> set[Path]:
    """Return a module and all that it loads."""
    found = {path}
    for name in re.findall(r'(?:from|import)"(\.[^"]+)"', path.read_text()):
        found |= with_imports((path.parent / name).resolve())
    return found


NUMBERS = {
    "0": 0, "12": 12, "-5": -5, "0.1": 0.1, "0.1 + 0.2": 0.1 + 0.2, "1e300": int(1e300),
    "5e-324": 5e-324, "-1e-7": -1e-7, "10n": 10, "3.75": 3.75, "NaN": float("nan"),
    "Infinity": float("inf"), "{n: 1n, d: 3n}": Fraction(1, 3), '"1"': "1", "null": None,
    "true": True, "[]": [], "undefined": None,
}  # fmt: skip
LISTS = {
    "[]": [], '["a"]': ["a"], '["b", "a"]': ["b", "a"], '["a", "a"]': ["a", "a"],
    '["c", "b", "a"]': ["c", "b", "a"], '["a", "b", "c"]': ["a", "b", "c"], '["x"]': ["x"],
    '["a", 1]': ["a", 1], 'new Set(["a"])': {"a"}, '"a"': "a", "null": None, "{}": {},
}  # fmt: skip
TEXTS = [
    "",
    " ",
    "a",
    "Alice",
    "  BOB\tb ",
    "zoe\u0308",
    "zo\u00eb",
    "\u5317\u4eac",
    "a-1",
    "far too long",
    "\u0130",
    "\u00a0a",
    "a\u2003b",
    "\ufeffa",
    "a\x1cb",
    "\u1e9e",
    "A\u03a3",
    "x" * 5000,
    "\U0001f600",
]
TEXT_RANGES = [
    ["a-z"],
    [" ", "a-z"],
    ["-", "0-9", "A-Z", "a-z"],
    ["a-z", "\u00e0-\u00f6", "\u00f8-\u00ff"],
    ["\u4e00-\u9fff"],
    ["\U0001f600-\U0001f64f"],
]
WRONG_RANGES = [
    [],
    ["z-a"],
    ["b", "a"],
    ["a", "b"],
    ["a-b", "c"],
    ["a", "a"],
    ["ab"],
    ["\u0308"],
    ["\t"],
    [" "],
    ["\u00a0"],
    [1],
    "a",
    ["a-"],
    ["\u212b"],
]

Placing = tuple[str, object, list[str], dict[str, object]]


def placings() -> Iterator[Placing]:
    """Kinds of question as manifests state them, right and wrong, and answers to each."""
    abc, texts = ["a", "b", "c"], {json.dumps(text): text for text in TEXTS}
    for low, high in (
        (0, 3),
        (-10, 10),
        (5, 5),
        (0, 1023),
        (0, 1024),
        (0.5, 1),
        ("0", "1"),
        (-(10**15), 0),
    ):
        yield "integers", {"low": low, "high": high}, [], NUMBERS
    for part in (
        ("0", "10", "1"),
        ("0", "1", "1/3"),
        ("-1", "5/2", "1/2"),
        ("0", "1", "2/4"),
        ("0", "1", "0"),
        ("0", "1", "2"),
        ("0", "1", "1/0"),
        (0, 1, 1),
        ("0", "1", "0.5"),
    ):
        yield "numbers", dict(zip(("low", "high", "step"), part, strict=True)), [], NUMBERS
    yield "numbers", {"low": "0", "high": "1", "step": "1"}, abc, NUMBERS
    for most in (0, 1, 2, 3, 4, 1.5, None):
        yield "several", {"most": most}, abc, LISTS
    for value, options in (
        ({"of": "all"}, abc),
        ({"of": "some"}, abc),
        ({}, abc),
        ({"of": "all"}, ["a"]),
    ):
        yield "ranking", value, options, LISTS
    for ranges in (*TEXT_RANGES, *WRONG_RANGES):
        for others in (False, True):
            yield "texts", {"characters": ranges, "longest": 6, "others": others}, [], texts
    for longest in (0, 1, 64, 65, "6"):
        yield "texts", {"characters": ["a-z"], "longest": longest, "others": False}, [], texts
    yield "", None, [], {"true": True, "false": False, "1": 1, "0": 0, '"yes"': "yes", "null": None}
    yield "", None, abc, {'"a"': "a", '"c"': "c", '"d"': "d", "0": 0, "null": None, "true": True}


def by_python(key: str, value: object, options: list[str], answers: dict[str, object]) -> object:
    try:
        if not key:
            domain = of_options(tuple(options))
        else:
            domain = FROM_JSON[key](value, tuple(options))
            if domain.to_json() != value:
                return "refused"
    except TossupError:
        return "refused"
    places = [domain.place(answer) for answer in answers.values()]
    return [None if place is None else str(place) for place in places]


def test_answers_are_placed_as_python_places_them(ask):
    """Questions and answers, right or wrong, are refused by both, or have one place."""
    cases = list(placings())
    asked = [
        ("placed", {"key": key, "value": value, "options": options, "answers": list(answers)})
        for key, value, options, answers in cases
    ]
    differ = [
        (case[:3], list(case[3]), found, wanted)
        for case, found in zip(cases, ask(asked), strict=True)
        if found != (wanted := by_python(*case))
    ]

    assert differ == []


def test_waves_show_what_python_shows(ask):
    """What a device keeps, and each wave's report of it, from the same bytes."""
    designs = [m for m in examples() if m.has_memo or m.keeps_answer]
    stream = bytes(byte * 37 % 251 for byte in range(20_000))
    answers = {m: [0, m.answers - 1, m.answers // 2] for m in designs}
    asked = [
        (
            "ask",
            stated(m) | {"waves": {"stream": stream.hex(), "answers": list(map(str, answers[m]))}},
        )
        for m in designs
    ]
    for mechanism, found in zip(designs, ask(asked), strict=True):
        feed = iter(stream)
        coins = Coins(lambda count, feed=feed: bytes(next(feed, 0) for _ in range(count)))
        if mechanism.has_memo:
            memo = mechanism.memo(coins)
            shown = [mechanism.through(memo, answer, coins) for answer in answers[mechanism]]
            wanted = [memo, *shown, mechanism.given_memo.odds]
        else:
            memo = mechanism.memory.perturb(answers[mechanism][0], coins)
            shown = [mechanism.again(memo, coins) for _ in answers[mechanism]]
            wanted = [memo, *shown, mechanism.memory.odds]
        assert found == list(map(str, wanted)), mechanism


#: Designs of odds 3 whose reports are counted one by one.
AUDITED = {
    "two-coin": TwoCoin(),
    "k-ary-randomized-response": KaryRandomizedResponse(6),
    "duchi": Duchi(5),
    "hadamard-response": HadamardResponse(4),
}
FAULTS = ("first coin 3/4", "second coin is heads", "always the truth", "never the truth")


def audit(built: Path, name: str, fault: str = "") -> int:
    """Run `tossup audit` on the browser SDK in Node; return its exit code."""
    mechanism = AUDITED[name]
    program = ["node", str(HERE / "perturb.mjs"), str(built / "package/readable/testing.js")]
    command = shlex.join([*program, json.dumps(mechanism.spec()), str(mechanism.answers), fault])
    run = [sys.executable, "-m", "tossup.server.cli", "audit", "--cmd", command]
    options = [
        "--mechanism",
        name,
        "--options",
        str(mechanism.answers),
        "--trials",
        "50000",
        "--timeout",
        "600",
    ]
    return subprocess.run([*run, *options], capture_output=True, text=True, check=False).returncode


@pytest.mark.prove
@pytest.mark.parametrize("name", AUDITED)
def test_an_audit_accepts_the_browser_sdk(built, name):
    """`tossup audit` runs it in Node as it runs every other port."""
    assert audit(built, name) == 0


@pytest.mark.prove
def test_an_audit_refuses_broken_browser_sdks(built):
    """A wrong coin, and the truth or its contrary each time."""
    assert all(audit(built, "two-coin", fault) in {1, 4} for fault in FAULTS)
