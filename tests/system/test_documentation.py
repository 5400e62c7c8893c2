"""What the documentation shows is what happens."""

import doctest
import json
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from sweeps import proving

from tossup.server.config import Config
from tossup.server.kinds import Kind
from tossup.server.surveys.file import load_survey
from tossup.server.web.app import create_app
from tossup.server.web.middleware.problems import CODES
from tossup.server.web.openapi import describe
from tossup.shared.kinds.base import Domain

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


@pytest.fixture
def bash(place, tmp_path):
    """Run shell lines in an empty folder, `tossup` and `python3` being those under test."""
    commands = tmp_path / "commands"
    commands.mkdir()
    for name, arguments in {"tossup": "-m tossup.server.cli", "python3": ""}.items():
        script = commands / name
        script.write_text(f'#!/bin/sh\nexec "{sys.executable}" {arguments} "$@"\n')
        script.chmod(0o755)
    own = {"PATH": f"{commands}{os.pathsep}{os.environ['PATH']}", "HOME": str(tmp_path)}

    def run(text: str) -> subprocess.CompletedProcess[str]:
        command = ["bash", "-euo", "pipefail", "-c", text]
        env = place.environment | own
        return subprocess.run(
            command, check=False, cwd=tmp_path, env=env, capture_output=True, text=True
        )

    return run


@pytest.mark.parametrize(
    "page",
    proving(
        ["README.md", "docs/tutorials/first-survey.md", "docs/how-to/rehearse.md"],
        but=["README.md"],
    ),
)
def test_the_shell_blocks_of_a_page_run_in_order(bash, shell_blocks, page):
    """A reader who types them gets through without an error."""
    done = bash("\n".join(shell_blocks(ROOT / page)))

    assert done.returncode == 0, done.stderr
    assert re.search(r"^Have you ever .* % to .*%", done.stdout, re.MULTILINE)
    if "tutorials" in page:
        assert re.search(
            r"^Have you ever .* yes .*Arts less Science  -?\d", done.stdout, re.MULTILINE
        )
        assert "too few" not in done.stdout


@pytest.mark.prove
def test_the_shell_blocks_on_analysis_run(bash, shell_blocks):
    """Each command of the page, as it stands."""
    done = bash("\n".join(shell_blocks(DOCS / "how-to/analyse-reports.md")))

    assert done.returncode == 0, done.stderr
    assert "phone - paper" in done.stdout


def test_the_notebook_of_the_page_on_analysis_runs():
    """Every example prints what the page says."""
    tried = doctest.testfile(str(DOCS / "how-to/analyse-reports.md"), module_relative=False)

    assert (0, True) == (tried.failed, tried.attempted > 15)


def test_the_walk_of_one_answer_prints_what_the_page_says():
    """Every block of the page on architecture runs."""
    tried = doctest.testfile(str(DOCS / "explanation/architecture.md"), module_relative=False)

    assert (0, True) == (tried.failed, tried.attempted > 40)


def test_the_picture_of_the_rooms_is_what_its_script_draws():
    """docs/explanation/architecture.svg is made by it; `make fix` renews it."""
    picture = DOCS / "explanation/architecture.svg"
    script = runpy.run_path(str(picture.with_name("make_architecture.py")))

    assert script["picture"]() == picture.read_text("utf-8")


def test_the_picture_shows_who_asks_whom():
    """Its rooms are there, and import what it says of `tossup.shared`, or its `survey` does."""
    script = runpy.run_path(str(DOCS / "explanation/make_architecture.py"))
    parts = {"device": ROOT / "client/tossup/client", "server": ROOT / "server/tossup/server"}
    missing = [room for room, _ in script["BESIDE"] if not modules(parts["server"] / room)]
    for stop in script["ROAD"]:
        files = {room: modules(parts[stop.side] / room) for room in stop.rooms}
        survey = [ROOT / "shared/tossup/shared/survey.py"] if "survey" in stop.shared else []
        asking = [file for each in (*files.values(), survey) for file in each]
        text = "".join(file.read_text("utf-8") for file in asking)
        missing += [f"{stop.name}: {room}" for room, found in files.items() if not found]
        missing += [
            f"{stop.name} asks {asked}"
            for asked in stop.shared
            if not re.search(rf"(tossup\.shared\.|tossup\.shared import (\w+, )*){asked}\b", text)
        ]

    assert [] == missing


def modules(place: Path) -> list[Path]:
    """Return the modules of a room, or the one module of that name; none where there is neither."""
    module = place.with_suffix(".py")
    return [module] if module.exists() else sorted(place.rglob("*.py"))


@pytest.mark.parametrize("page", ["contributing.md", "explanation/architecture.md"])
def test_a_page_for_those_who_change_something_names_files_that_exist(page):
    """The place to change something is where the page says, and so is its test."""
    text = (DOCS / page).read_text("utf-8")
    parts = [ROOT / part / "tossup" for part in ("client", "server", "shared")]
    roots = [ROOT, ROOT / "tests", *parts, ROOT / "server/tossup/server"]
    named = re.findall(r"`((?:[\w.-]+/)+(?:[\w-]+\.\w+)?|[a-z_]+\.(?:py|toml))`", text)

    assert len(named) > 12
    assert [] == [path for path in named if not any((root / path).exists() for root in roots)]


def test_the_references_of_python_are_what_the_docstrings_say():
    """docs/reference/estimation.md and python.md are made from them; `make fix` renews them."""
    script = runpy.run_path(str(DOCS / "reference/make_python.py"))

    for name, page in script["references"]().items():
        assert page == (DOCS / "reference" / name).read_text("utf-8"), f"{name}: run make fix"


def test_the_readmes_five_lines_of_the_sdk_run(bash, shell_blocks):
    """The SDK in five lines, against the running server."""
    readme = (ROOT / "README.md").read_text()
    (five_lines,) = re.findall(r"```python\n(from tossup\.client.*?)```", readme, re.DOTALL)
    (survey,) = re.findall(r"cat > habits.*?\nEOF\n", readme, re.DOTALL)
    python = f"{five_lines}print(client.status().sent)\n"

    done = bash(
        survey.replace('"habits"', '"five-lines"')
        + "export LINK=$(tossup survey create habits.toml)\n"
        + f"python3 - <<'EOF'\nimport os\nlink = os.environ['LINK']\n{python}EOF\n"
    )

    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "1"


def test_the_readme_installs_into_an_environment_that_both_terminals_use():
    """Systems refuse to install outside of one, and each terminal has to enter it."""
    readme = (ROOT / "README.md").read_text()

    assert "python3 -m venv .tossup\n. .tossup/bin/activate\npip install" in readme
    assert ". .tossup/bin/activate\nexport TOSSUP_API_KEY=" in readme


@pytest.mark.parametrize("part", [Domain, Kind])
def test_the_guide_to_a_kind_names_all_that_a_kind_may_say(part):
    """Whoever writes one finds every member of the two interfaces, and what it is for."""
    named = set(re.findall(r"`(\w+)`", (DOCS / "how-to/add-a-kind.md").read_text("utf-8")))
    members = {name for name in (*vars(part), *part.__annotations__) if not name.startswith("_")}

    assert members - named - {"name"} == set()


def test_every_problem_has_its_heading_in_the_reference():
    """A code that a server may answer is explained; none is explained that it never answers."""
    headings = re.findall(r"^### `([a-z-]+)`$", (DOCS / "reference/errors.md").read_text(), re.M)

    assert sorted(headings) == sorted(CODES)


def test_every_status_in_the_reference_is_the_real_one():
    """The first number under a problem's heading is its status."""
    text = (DOCS / "reference/errors.md").read_text()
    told = {code: int(status) for code, status in re.findall(r"^### `(.+)`\n\n(\d+)\.", text, re.M)}

    assert told == {code: status for code, (status, _) in CODES.items()}


def test_every_route_is_in_the_reference(tmp_path):
    """The HTTP reference names every path that the server describes for machines."""
    app = create_app(Config(data=tmp_path), reading=True)
    described = describe(app)["paths"]
    app.extensions["tossup"].close()
    text = re.sub(r"\{\w+\}", "{}", (DOCS / "reference/http.md").read_text())
    paths = {re.sub(r"\{\w+\}", "{}", path) for path in described}

    assert {path for path in paths if f" {path}`" not in text} == set()


def test_every_link_of_the_documentation_leads_somewhere():
    """Relative links name files that exist."""
    pages = [ROOT / "README.md", *DOCS.rglob("*.md")]
    links = [
        (page, target)
        for page in pages
        for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
        if not target.startswith("http")
    ]

    assert [f"{p.name}: {t}" for p, t in links if not (p.parent / t).exists()] == []


def test_every_decision_is_in_the_index():
    """A record that nobody finds is none."""
    records = {path.name for path in (DOCS / "decisions").glob("0*.md")}
    index = set(re.findall(r"\((0[^)]+\.md)\)", (DOCS / "decisions/README.md").read_text()))

    assert records == index


def test_decisions_state_the_limits_that_the_code_has():
    """A figure in a record is that of the constant it speaks of."""
    from tossup.client.settings import DELTA_CAP
    from tossup.server.config import Config
    from tossup.server.ingest.cohorts import COHORT
    from tossup.server.web import answers
    from tossup.server.web.serving import connections

    threads = Config(data=Path("data")).threads
    stated = {
        "0004": (f"Fewer than {COHORT} reports join", f"Above {2 * COHORT} reports"),
        "0005": (
            f"one process, {threads} threads",
            f"up to {connections.MOST_CONNECTIONS:,} connections",
            f"idle for {connections.IDLE_SECONDS} seconds",
        ),
        "0012": (f"one in {DELTA_CAP.denominator:,} for life",),
        "0017": (
            f"{answers.MOST_BYTES >> 20} MB in all",
            f"more than {1000 * answers._DEAR_SECONDS:.0f} ms",
        ),
    }
    records = {path.name[:4]: path for path in (DOCS / "decisions").glob("0*.md")}

    for number, figures in stated.items():
        text = records[number].read_text("utf-8")
        assert [] == [figure for figure in figures if figure not in text], records[number].name


def test_every_setting_of_the_server_is_in_the_reference():
    """With its default, and none that is no setting."""
    from dataclasses import fields

    from tossup.server.config import Config

    text = (DOCS / "reference/settings.md").read_text("utf-8")
    rows = dict(re.findall(r"^\| `(TOSSUP_\w+)` \| (.*?) \|", text, re.M))
    defaults = Config()
    for setting in fields(Config):
        default = getattr(defaults, setting.name)
        told = f"`{default}`" if default not in (None, ()) else "none"
        assert told == rows.get(f"TOSSUP_{setting.name.upper()}"), setting.name
    assert len(rows) == len(fields(Config))


def test_every_setting_of_the_survey_file_is_in_the_reference():
    """A key that a survey file may hold is described."""
    from tossup.server.surveys.reading import tables as known

    text = (DOCS / "reference/survey-file.md").read_text()
    tables = (known._SurveyTable, known._QuestionTable, known._PublisherTable)
    keys = {key for table in tables for key in table().fields}

    assert {key for key in keys if not re.search(rf"`\[*(question\.)?{key}\]*`", text)} == set()


def test_the_surveys_in_the_reference_are_such():
    """The small example is a survey file, and takes each of the further questions."""
    text = (DOCS / "reference/survey-file.md").read_text()
    example, *more = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)

    assert load_survey(example, bytes(32)).id == "habits"
    for question in more:
        assert 2 == len(load_survey(f"{example}\n{question}", bytes(32)).questions)


def test_every_command_of_make_that_a_page_names_is_there():
    """`make` has each target that the README or the page on contributing tells to run."""
    text = (ROOT / "README.md").read_text("utf-8") + (DOCS / "contributing.md").read_text("utf-8")
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.M))

    assert {"check", "prove", "test"} <= set(re.findall(r"[`\n]make ([a-z]+)", text)) <= targets


def test_make_names_what_the_readme_promises():
    """`make demo`, `make test` and `make prove` are there, and a test is in one of the two."""
    makefile = (ROOT / "Makefile").read_text()

    assert re.search(r"^demo:", makefile, re.M)
    assert re.search(r'^test:.*\n.* -m "not prove and not clusters and not load" ', makefile, re.M)
    assert re.search(r"^prove:.*\n.* -m prove ", makefile, re.M)


def test_make_demo_hands_on_what_stands_behind_the_dashes():
    """`make demo -- --serve` leaves the pages open, as it is typed."""
    env = {key: value for key, value in os.environ.items() if not key.startswith(("MAKE", "ARGS"))}
    for typed in (["--", "--serve"], ["--", "--serve", "--respondents", "300"], []):
        command = ["make", "-n", "-o", ".venv/server", "demo", *typed]
        run = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=True)
        assert " ".join(["tossup", "demo", *typed[1:]]) in run.stdout


def metric_names(text: str) -> set[str]:
    """Return the names of metrics that a text speaks of, but for what Prometheus itself adds."""
    return set(re.findall(r"\b(?:tossup|process)_[a-z_]+\b", text))


@pytest.fixture(scope="module")
def exposed(tmp_path_factory) -> set[str]:
    """The names of all metrics of a server, as Prometheus stores them."""
    from tossup.server.config import Config
    from tossup.server.web.app import create_app

    app = create_app(Config(data=tmp_path_factory.mktemp("metrics")))
    services = app.extensions["tossup"]
    for of in ("reports", "withdrawals"):
        services.metrics.count_received("habits", of, 1)
    services.metrics.count_problem("malformed")
    text = app.test_client().get("/metrics").text
    services.close()
    return {re.split(r"[{ ]", line)[0] for line in text.splitlines() if line[0] != "#"}


def test_alarms_and_the_board_watch_metrics_that_there_are(exposed):
    """An alarm on a name that no server exposes never rings; and each is explained."""
    guide = (DOCS / "how-to/operate.md").read_text("utf-8")
    alarms = (ROOT / "server/deploy/alerts.yml").read_text("utf-8")
    rules = re.findall(r"- alert: (\w+)\n +expr: (.*?)\n +(?:for|labels):", alarms, re.S)
    board = json.loads((ROOT / "server/deploy/dashboard.json").read_text("utf-8"))
    targets = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    asked = " ".join([*targets, *(rule for _, rule in rules)])
    codes = {c for text in re.findall(r'code=~?"([^"]+)"', asked) for c in text.split("|")}

    assert len(rules) == alarms.count("alert:") > 10
    assert set() == metric_names(asked) - exposed
    assert {"process_start_time_seconds"} == exposed - metric_names(" ".join(targets))
    assert exposed == {name for name in metric_names(guide) if f"`{name}" in guide}
    assert set() == codes - set(CODES)
    assert [name for name, _ in rules] == re.findall(r"^\| `(Tossup\w+)` \|", guide, re.M)


def test_what_runs_on_kubernetes_is_the_container_and_answers_its_probes(tmp_path):
    """Its user, its folder and its port; and the host that probes name is known."""
    from tossup.server.config import Config
    from tossup.server.web.app import create_app

    manifest = (ROOT / "server/deploy/kubernetes.yaml").read_text("utf-8")
    image = (ROOT / "server/deploy/Containerfile").read_text("utf-8")
    user = re.search(r"runAsUser: (\d+), runAsGroup: (\d+)", manifest)
    given = dict(re.findall(r'name: (TOSSUP_\w+), value: "([^"]+)"', manifest))
    own = re.findall(r"name: (TOSSUP_\w+), valueFrom: .*status\.podIP", manifest)
    given |= dict.fromkeys(own, "10.0.0.7")
    probes = re.findall(r"(\w+)Probe: .*path: ([\w/]+), port: (\d+).*value: (\w+)}", manifest)
    app = create_app(Config.load(given, data=tmp_path / "data"))
    asked = app.test_client()
    found = [asked.get(path, headers={"Host": host}).status_code for _, path, _, host in probes]
    by_address = [
        asked.get("/metrics", headers={"Host": f"10.0.0.{n}:8080"}).status_code for n in (7, 8)
    ]
    app.extensions["tossup"].close()

    assert re.search(r"^USER (\S+)$", image, re.M)[1] == ":".join(user.groups())
    mounted = re.search(r"name: data, mountPath: ([^}]+)", manifest)[1]
    assert re.search(r"^VOLUME (\S+)$", image, re.M)[1] == mounted
    assert f"TOSSUP_DATA={mounted}/" in image
    assert {re.search(r"EXPOSE (\d+)", image)[1]} == {port for _, _, port, _ in probes}
    assert ["startup", "readiness", "liveness"] == [name for name, *_ in probes]
    assert ([200] * 3, [200, 400]) == (found, by_address)
    assert re.search(r"replicas: 1\b.*\n +strategy: {type: Recreate}", manifest)


def test_the_guide_for_operators_says_what_each_code_means_and_what_devices_do():
    """Every code has a row, and what a device does at it is what the SDK does."""
    from tossup.client.upload.verdicts import FINAL

    guide = (DOCS / "how-to/operate.md").read_text("utf-8")
    rows = dict(re.findall(r"^\| `([a-z-]+)` \| (kept|set aside|) *\|", guide, re.M))

    assert set(CODES) == set(rows)
    assert FINAL == {code for code, duty in rows.items() if duty == "set aside"}


def test_the_arithmetic_of_sizes_comes_out_as_the_guide_says():
    """Every example of the page."""
    tried = doctest.testfile(str(DOCS / "how-to/operate.md"), module_relative=False)

    assert (0, True) == (tried.failed, tried.attempted > 5)


def test_the_guides_for_operators_name_files_and_settings_that_there_are():
    """Each file of `server/deploy`, and each variable, that is told or used there."""
    from tossup.server.config import Config

    texts = [(DOCS / f"how-to/{name}.md").read_text("utf-8") for name in ("deploy", "operate")]
    files = [path.read_text("utf-8") for path in (ROOT / "server/deploy").iterdir()]
    named = set(re.findall(r"\bdeploy/([\w-]+(?:\.\w+)?)", "".join(texts)))
    settings = set(re.findall(r"\bTOSSUP_[A-Z_]+", "".join([*texts, *files])))
    known = {f"TOSSUP_{name.upper()}" for name in Config.__dataclass_fields__}

    assert {path.name for path in (ROOT / "server/deploy").iterdir()} == named
    assert set() == {name.removesuffix("_FILE") for name in settings} - known - {"TOSSUP_URL"}
