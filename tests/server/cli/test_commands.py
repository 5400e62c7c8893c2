"""The command line without a server: help, options, errors and exit codes."""

import json
import os
import runpy
import stat
import subprocess
import sys
from itertools import product
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner, Result
from sweeps import each

from tossup.server import remote
from tossup.server.cli import api
from tossup.server.cli.authoring import publisher
from tossup.server.cli.output import Failure, measured, table
from tossup.server.cli.reading import results
from tossup.server.cli.reading.estimate import DESIGN_NAMES
from tossup.server.cli.root import COMMANDS, root
from tossup.server.config import Config
from tossup.server.estimation.designs.named import DESIGNS
from tossup.server.estimation.papers.two_samples import PAIRS

HEAVY = {"flask", "numpy", "marshmallow", "uvicorn", "cryptography", "sqlite3", "ssl", "http"}
#: The version alone needs the metadata of the package, which takes a while to read.
UNREAD = {"--help": {"importlib.metadata"}}
UNREACHABLE = "http://127.0.0.1:9"  # the discard port: nobody listens there

SURVEY = """
id = "habits-7"
title = "Habits"
purpose = "To learn how common a habit is."
[publisher]
name = "Example University"
contact = "irb@example.org"
[[question]]
id = "ever_tried"
text = "Have you ever tried it?"
"""


@pytest.fixture
def tossup(tmp_path, monkeypatch):
    """Run a command in an empty home folder, without settings of this machine."""
    for name in [name for name in os.environ if name.startswith("TOSSUP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> Result:
        return CliRunner().invoke(root, arguments)

    return run


def test_it_works(tossup):
    """Help lists every command."""
    done = tossup("--help")

    assert done.exit_code == 0
    assert all(f"  {name} " in done.output for name in COMMANDS)


def test_serve_starts_beside_a_service_called_tossup(tossup, monkeypatch):
    """Kubernetes then sets TOSSUP_PORT=tcp://...: it starts, and names what it ignored."""
    monkeypatch.setenv("TOSSUP_PORT", "tcp://10.0.0.11:80")
    monkeypatch.setenv("TOSSUP_SERVICE_HOST", "10.0.0.11")
    started = []
    monkeypatch.setattr(
        "tossup.server.web.serving.run.serve", lambda config, ready, app: started.append(config)
    )

    done = tossup("serve")

    assert (done.exit_code, [config.port for config in started]) == (0, [8080])
    assert "Ignored, since they are no settings: TOSSUP_PORT, TOSSUP_SERVICE_HOST" in done.stderr
    assert "note  environment: no settings" in tossup("doctor").output


@pytest.mark.parametrize("arguments", [["--help"], ["--version"]])
def test_help_imports_nothing_heavy(arguments):
    """Completion and help must be quick, so nothing but click is imported for them."""
    script = (
        "import sys; sys.argv = ['tossup', *sys.argv[1:]]\n"
        "from tossup.server.cli import main\n"
        "try: main()\n"
        "except SystemExit: print('\\n'.join(sys.modules), file=sys.stderr)"
    )
    command = [sys.executable, "-c", script, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True)

    assert set(done.stderr.split()) & (HEAVY | UNREAD.get(arguments[-1], set())) == set()


def test_no_command_imports_anything_heavy_for_its_help():
    """All of them, one after the other, in one process."""
    script = (
        "import sys, click\n"
        "from tossup.server.cli.root import root\n"
        "def walk(command, *path):\n"
        "    try: root([*path, '--help'])\n"
        "    except SystemExit: print('after', *path, *sys.modules, file=sys.stderr)\n"
        "    for name in getattr(command, 'list_commands', lambda _: [])(None):\n"
        "        walk(command.get_command(None, name), *path, name)\n"
        "walk(root)"
    )
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    loaded = {tuple(line.split(" sys ")[0].split()): set(line.split()) & HEAVY
              for line in done.stderr.splitlines()}  # fmt: skip

    assert len(loaded) > len(COMMANDS)
    assert {} == {path: heavy for path, heavy in loaded.items() if heavy}


def test_the_designs_that_a_command_names_are_those_that_are_estimated():
    """They are listed without being imported."""
    assert (*DESIGNS, *PAIRS) == DESIGN_NAMES


@pytest.mark.parametrize(
    ("typed", "said"), [("estimat", "did you mean estimate?"), ("qqqq", "No such command 'qqqq'.")]
)
def test_a_mistyped_command_is_told_the_nearest(tossup, typed, said):
    """A typo is answered with what was meant, where anything is near."""
    done = tossup(typed)

    assert (done.exit_code, said in done.stderr) == (2, True)


def leaves(command, path=()):
    """Yield the path and command of everything that can be run."""
    import click

    if not isinstance(command, click.Group):
        yield path, command
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        yield from leaves(command.get_command(context, name), (*path, name))


@each("command", [pytest.param(c, id=" ".join(path)) for path, c in leaves(root)])
def test_every_command_takes_json_and_explains_itself(command):
    """--json is on everything, and every command and option says what it does."""
    options = {name for option in command.params for name in option.opts}

    assert "--json" in options
    assert command.help
    assert [o.name for o in command.params if o.param_type_name == "option" and not o.help] == []


def test_the_reference_is_what_the_commands_say():
    """docs/reference/cli.md is made from the commands; `make fix` renews it."""
    page = Path(__file__).parents[3] / "docs/reference/cli.md"
    script = runpy.run_path(str(page.with_name("make_cli.py")))

    assert script["reference"]() == page.read_text(encoding="utf-8")


def test_the_default_address_is_where_a_server_listens_by_default():
    """`tossup serve` and `tossup survey list` meet without any setting."""
    config = Config()

    assert f"http://{config.host}:{config.port}" == api.DEFAULT_URL


def test_wrong_usage_exits_with_2(tossup):
    """Click's own code for wrong usage is kept."""
    assert tossup("survey", "create").exit_code == 2
    assert tossup("simulate", "--truth", "0.3,0.3").exit_code == 2
    assert tossup("answer", "https://example.org/v1/surveys/x", "no-equals").exit_code == 2


def test_an_answer_is_not_tossed_unless_somebody_was_asked(tossup):
    """Without a terminal there is nobody to ask, so --yes must stand there."""
    done = tossup("answer", "https://example.org/v1/surveys/x", "ever_tried=yes")

    assert (done.exit_code, "--yes" in done.stderr) == (2, True)


def test_a_question_is_answered_once_a_command(tossup):
    """Two answers to one question are a slip, and neither is taken."""
    link = "https://example.org/v1/surveys/x"

    done = tossup("answer", link, "ever_tried=yes", "ever_tried=no", "--yes")

    assert (done.exit_code, "ever_tried is answered twice" in done.stderr) == (2, True)


def test_no_server_exits_with_5_and_says_how_to_start_one(tossup):
    """What happened, why, and the command that fixes it."""
    done = tossup("survey", "list", "--url", UNREACHABLE)

    assert done.exit_code == 5
    assert done.stderr.startswith(f"Error: no server answers at {UNREACHABLE}: ")
    assert "Try: tossup serve" in done.stderr


def test_an_error_is_json_where_json_was_asked_for(tossup):
    """Standard output stays empty; the error stands on standard error as one object."""
    done = tossup("survey", "list", "--json", "--url", UNREACHABLE)

    error = json.loads(done.stderr)["error"]
    assert done.stdout == ""
    assert (error["exit_code"], set(error)) == (5, {"exit_code", "message", "fix"})


@pytest.mark.parametrize(("no_color", "coloured"), [("", True), ("1", False)])
def test_no_color_is_honoured(tossup, monkeypatch, no_color, coloured):
    """Even on a terminal, NO_COLOR leaves the words alone."""
    monkeypatch.setenv("NO_COLOR", no_color)

    done = CliRunner().invoke(root, ["survey", "list", "--url", UNREACHABLE], color=True)

    assert ("\x1b[" in done.stderr) is coloured


def test_an_api_key_is_never_sent_in_the_clear_to_another_machine(tossup, monkeypatch):
    """Refused for privacy, before anything is sent."""
    monkeypatch.setenv("TOSSUP_API_KEY", "tsk_secret")

    done = tossup("survey", "list", "--url", "http://example.org")

    assert done.exit_code == 4
    assert "https://example.org" in done.stderr
    assert "tsk_secret" not in done.output


def test_a_survey_that_costs_too_much_is_refused_with_4(tossup):
    """Seven two-coin questions: no device would answer them all."""
    question = '\n[[question]]\nid = "q{}"\ntext = "?"\n'
    Path("survey.toml").write_text(SURVEY + "".join(question.format(n) for n in range(6)))

    done = tossup("survey", "create", "survey.toml")

    assert done.exit_code == 4
    assert "2187" in done.stderr


def test_a_wrong_survey_file_is_refused_with_1_and_its_place(tossup):
    """An unknown key is answered by the nearest one."""
    Path("survey.toml").write_text(SURVEY.replace("title", "titel"))

    done = tossup("survey", "create", "survey.toml")

    assert done.exit_code == 1
    assert "titel: unknown key; did you mean 'title'?" in done.stderr


def test_a_question_that_most_apps_refuse_is_noted(tossup):
    """What the file allows, every app has to allow too; devices refuse it otherwise."""
    Path("survey.toml").write_text("question_cap = 81\n" + SURVEY + "odds = 81\n")

    done = tossup("survey", "check", "survey.toml", "--url", UNREACHABLE)

    assert "one question: ever_tried. Every app that asks must set" in done.stderr
    assert "Client(..., question_cap=81)" in done.stderr


def test_a_survey_is_checked_without_a_server_or_a_key(tossup):
    """Everything is told that creating tells, nothing is made, and no server need answer."""
    Path("survey.toml").write_text("results = 'public'\nminimum_batch = 30\n" + SURVEY)
    done = tossup("survey", "check", "survey.toml", "--url", UNREACHABLE, "--explain")
    found = tossup("survey", "check", "survey.toml", "--url", UNREACHABLE, "--json")

    assert done.exit_code == 0
    assert "ever_tried (3:1)  Have you ever tried it?" in done.stdout
    assert "an estimate needs 30 reports" in done.stdout
    assert "minimum_batch protects nobody" in done.stderr
    assert "Tightest: " in done.stderr
    assert "Next: tossup survey create survey.toml" in done.stderr
    assert "3" == json.loads(found.stdout)["cost"]["odds"]
    assert not publisher.default_path().exists()


def test_ids_that_say_less_than_their_labels_are_shown(tossup):
    """Left out are letters of other scripts, signs and a minus; of other labels the id tells."""
    less = ["-2", "< 5", "\N{MINUS SIGN}7", "50 %", "非A", "\N{CYRILLIC CAPITAL LETTER A}dmin", "½"]
    answers = [*less, "Very good!", "Très-bien", "Non-binary (x)"]
    Path("survey.toml").write_text(f"{SURVEY}answers = {json.dumps(answers, ensure_ascii=False)}\n")
    done = tossup("survey", "check", "survey.toml", "--url", UNREACHABLE)
    shown = done.stderr.partition("Ids of ever_tried: ")[2].partition(".\n")[0].split(", ")

    assert [each.partition(" = ")[2] for each in shown] == less


@pytest.mark.parametrize("command", ["check", "create"])
def test_a_wrong_file_is_told_with_line_and_question(tossup, command):
    """One suggestion for a name, and the file named wrong changes nothing."""
    Path("survey.toml").write_text(SURVEY + 'mechanism = "warnr"\n')
    done = tossup("survey", command, "survey.toml")

    assert done.exit_code == 1
    assert (
        "line 11, question 'ever_tried', mechanism: is not known; did you mean 'warner'?\n"
        in done.stderr
    )


WRONG_FILES = {
    "not text": b"\xff\xfe",
    "not TOML": b"id = ",
    "nothing": b"",
    "an unknown key": SURVEY.replace("title", "titel").encode(),
    "odds of 1": SURVEY.encode() + b"odds = 1\n",
    "too costly": SURVEY.encode() + b"odds = 730\n",
}


@pytest.mark.parametrize("content", WRONG_FILES.values(), ids=WRONG_FILES)
@pytest.mark.parametrize("options", [(), ("--new-publisher-key",)])
def test_a_wrong_survey_file_founds_no_publisher(tossup, content: bytes, options):
    """The signing key is made only once there is something to sign."""
    Path("survey.toml").write_bytes(content)

    done = tossup("survey", "create", "survey.toml", *options)

    assert done.exit_code in {1, 4}
    assert not publisher.default_path().exists()
    assert "Made the publisher's signing key" not in done.stderr


def test_a_slack_that_is_no_chance_founds_no_publisher(tossup):
    """A wrong usage is told before anything is made."""
    Path("survey.toml").write_text(SURVEY)

    assert tossup("survey", "create", "survey.toml", "--slack", "2").exit_code == 2
    assert tossup("survey", "create", "survey.toml", "--slack", "x").exit_code == 2
    assert not publisher.default_path().exists()


def test_the_publishers_key_is_made_once_and_for_its_owner_alone(tossup):
    """Mode 0600 in the XDG folder; the second use finds the same key."""
    path = publisher.default_path()

    first, second = publisher.load_or_create(path), publisher.load_or_create(path)

    assert path.relative_to(Path.home()) == Path(".config/tossup/publisher.pem")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert first.private_bytes_raw() == second.private_bytes_raw()


def test_the_publishers_key_is_found_from_every_working_directory(tossup, tmp_path, monkeypatch):
    """By the user's own home, whatever the environment says; another key is another publisher."""
    monkeypatch.setattr("pwd.getpwuid", lambda _: SimpleNamespace(pw_dir="/home/entry"))
    for config, home in product(("", "config", "./config"), ("", "relative", None)):
        monkeypatch.setenv("XDG_CONFIG_HOME", config)
        monkeypatch.delenv("HOME", raising=False)
        if home is not None:
            monkeypatch.setenv("HOME", home)
        wanted = Path("/home/entry/.config/tossup/publisher.pem")
        assert wanted == publisher.default_path(), (config, home)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))

    assert tmp_path / "tossup/publisher.pem" == publisher.default_path()


def test_a_user_without_a_home_is_told_to_name_the_key(tossup, monkeypatch):
    """As a container's user may be; nothing is made in the working directory."""
    monkeypatch.setattr("pwd.getpwuid", lambda _: SimpleNamespace(pw_dir=""))
    monkeypatch.setenv("HOME", "")
    done = tossup("doctor")

    assert (1, True) == (done.exit_code, "--publisher-key" in done.stderr)
    assert [] == list(Path().iterdir())


def test_a_key_of_another_kind_is_refused(tossup):
    """Manifests are signed with Ed25519 only."""
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
    from cryptography.hazmat.primitives.serialization import (
        Encoding,
        NoEncryption,
        PrivateFormat,
    )

    key = X25519PrivateKey.generate()
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    Path("other.pem").write_bytes(pem)
    Path("text.pem").write_text("no key")

    for name in ("other.pem", "text.pem"):
        with pytest.raises(Failure):
            publisher.load_or_create(Path(name))


def test_commands_on_a_folder_without_data_say_so(tossup):
    """recount and link need the folder of a server."""
    done = tossup("recount", "habits-7", "--data", "nowhere")

    assert done.exit_code == 1
    assert "nowhere holds no data of a server" in done.stderr
    assert not Path("nowhere").exists()


def test_keys_are_created_listed_and_revoked(tossup):
    """A key is shown once; afterwards only its number and name are known."""
    made = json.loads(tossup("key", "create", "laptop", "--data", "d", "--json").stdout)
    tossup("key", "revoke", "1", "--data", "d")
    listed = tossup("key", "list", "--data", "d", "--json").stdout

    assert made["api_key"].startswith("tsk_")
    assert made["api_key"] not in listed
    assert [(k["name"], k["revoked"]) for k in json.loads(listed)["keys"]] == [("laptop", True)]
    assert tossup("key", "revoke", "7", "--data", "d").exit_code == 1


def test_a_new_sign_in_link_is_made_on_the_data_folder(tossup):
    """A link that was lost is replaced without a password."""
    tossup("key", "create", "laptop", "--data", "d")

    done = tossup("link", "--data", "d", "--url", "https://example.org")

    assert done.stdout.startswith("https://example.org/sign-in/")


def test_a_sign_in_link_leads_where_commands_find_the_server(tossup, monkeypatch):
    """Unless the settings of the server say where browsers do: a port of --port is in neither."""
    tossup("key", "create", "laptop", "--data", "d")
    monkeypatch.setenv("TOSSUP_URL", "http://127.0.0.1:20311")
    there = tossup("link", "--data", "d")
    monkeypatch.setenv("TOSSUP_PUBLIC_URL", "https://example.org")
    public = tossup("link", "--data", "d")

    assert there.stdout.startswith("http://127.0.0.1:20311/sign-in/")
    assert public.stdout.startswith("https://example.org/sign-in/")


def test_doctor_names_secrets_by_fingerprints_only(tossup, monkeypatch):
    """Its output may be pasted into a mail."""
    monkeypatch.setenv("TOSSUP_API_KEY", "tsk_secret")
    publisher.load_or_create(publisher.default_path())

    done = tossup("doctor", "--url", UNREACHABLE, "--json")

    checks = {check["check"]: check for check in json.loads(done.stdout)["checks"]}
    assert done.exit_code == 5
    assert "tsk_secret" not in done.output
    assert len(checks["publisher key"]["found"]) == 16
    assert checks["server"]["result"] == "note"


def test_doctor_exits_with_1_when_others_can_read_the_data(tossup):
    """A data folder open to others is wrong."""
    tossup("key", "create", "laptop", "--data", "d")
    Path("d").chmod(0o755)

    done = tossup("doctor", "--data", "d", "--url", UNREACHABLE)

    assert done.exit_code == 1
    assert "chmod 700 d" in done.stdout


def test_a_mistyped_setting_is_named(tossup, monkeypatch):
    """TOSSUP_DATE is not taken for TOSSUP_DATA, nor silently ignored."""
    monkeypatch.setenv("TOSSUP_DATE", "d")

    assert "TOSSUP_DATA" in tossup("key", "list").stderr


def test_simulate_prints_one_object_with_json(tossup):
    """Truth and estimate of every answer, for scripts."""
    done = tossup("simulate", "--truth", "0.3", "-n", "100", "--json")

    value = json.loads(done.stdout)
    assert (value["n"], [line["truth"] for line in value["questions"]]) == (100, [0.3])


def test_simulate_takes_the_questions_of_a_survey_file(tossup):
    """Each question needs its truth; a missing one is asked for with an example."""
    Path("survey.toml").write_text(SURVEY)

    done = tossup("simulate", "survey.toml", "--truth", "ever_tried=0.3")
    missing = tossup("simulate", "survey.toml", "--truth", "other=0.3")

    assert done.exit_code == 0
    assert "Try: --truth ever_tried=0.3" in missing.stderr


def test_a_seed_repeats_a_simulation_of_every_kind(tossup):
    """What a preregistration names comes out again, digit by digit, whatever is asked."""
    Path("survey.toml").write_text(
        SURVEY
        + """
[[question]]
id = "body"
text = "Height and weight?"
answers = { vector = ["Height", "Weight"], norm = 2 }
[[question]]
id = "brand"
text = "Which brand?"
answers = { text = "a-z", longest = 3 }
"""
    )
    truths = ["--truth", "ever_tried=0.3", "--truth", "body=1,0", "--truth", "brand=ab:0.4"]
    asked = ["simulate", "survey.toml", *truths, "-n", "2000", "--json"]

    first, again = (tossup(*asked, "--seed", "7").stdout for _ in "12")
    other = tossup(*asked, "--seed", "8").stdout

    assert (7, first) == (json.loads(first)["seed"], again)
    assert all(
        one["id"].startswith("brand") or one != another
        for one, another in zip(
            json.loads(first)["questions"], json.loads(other)["questions"], strict=True
        )
    )


@each(
    "numbers, shown",
    [
        ((19400005, 19400004.2, 19400005.6), ["19,400,005.0", "19,400,004.2", "19,400,005.6"]),
        ((1234.5678, 1000, 1500), ["1,235", "1,000", "1,500"]),
        ((0.05123, 0.0501, 0.0523), ["0.0512", "0.0501", "0.0523"]),
        ((-0.001, -1, 1), ["0.0", "-1.0", "1.0"]),
        ((7, 7, 7), ["7.000", "7.000", "7.000"]),
        ((0, 0, 0), ["0", "0", "0"]),
        ((2e20, 1e20, 3e20), ["2e+20", "1e+20", "3e+20"]),
    ],
)
def test_numbers_have_the_digits_of_their_interval(numbers, shown):
    """An interval's ends differ as printed, and nobody has to read an exponent."""
    _, low, high = numbers

    assert shown == [measured(number, low, high) for number in numbers]


def test_a_mean_far_from_zero_is_told_exactly_enough(tossup):
    """Incomes of millions that differ by ten are not all printed as 1.94e+07."""
    asked = SURVEY + "answers = { integers = [19400000, 19400010] }\n"
    Path("survey.toml").write_text(asked, encoding="utf-8")

    done = tossup("simulate", "survey.toml", "--truth", "ever_tried=19400002,19400007")

    assert done.exit_code == 0
    assert "19,400,004.5" in done.stdout
    assert "e+" not in done.stdout


def result(versions, n, question_id="ever_tried", odds="3"):
    """One question's result, as the server sends it; suppressed below 100 reports."""
    yes = {"answer": "yes", "n": n, "value": 0.5, "low": 0.4, "high": 0.6}
    return {
        "id": question_id,
        "versions": versions,
        "design": {"mechanism": {"name": "randomized-response/1"}, "odds": odds},
        "n": n,
        "minimum": 100,
        "suppressed": n < 100,
        "estimates": [yes] if n >= 100 else [],
    }


@pytest.fixture
def estimated(tossup, monkeypatch):
    """Return what people read of these results."""

    def run(*questions) -> list[str]:
        results = {"survey": {"id": "habits"}, "attributes": [], "confidence": 0.95}
        results |= {"looks": "one", "questions": list(questions)}
        monkeypatch.setattr(api.Server, "get", lambda *_: results)
        return tossup("estimate", "habits").stdout.splitlines()

    return run


def test_designs_of_one_question_are_headed_by_their_versions(estimated):
    """Two lines of one question would not say which coins they are about."""
    lines = estimated(result([3], 150, odds="9"), result([1, 2], 200))

    assert [
        "ever_tried, version 3 (randomized-response/1, odds 9:1)",
        "ever_tried, versions 1, 2 (randomized-response/1, odds 3:1)",
    ] == [line for line in lines if "version" in line]
    assert 2 == sum("yes" in line for line in lines)


@pytest.mark.parametrize("n", [0, 150])
def test_designs_without_a_report_are_left_out(estimated, n):
    """A design that nobody met says nothing; a question that nobody answered is named once."""
    lines = estimated(result([2], 0), result([1], n), result([1, 2], 0, "other"))

    assert ["question", "ever_tried", "other"] == [line.split()[0] for line in lines]
    assert str(n) == lines[1].split()[-1]


@pytest.fixture
def served(monkeypatch):
    """Let the server answer with these results; return the addresses that were asked for."""

    def serve(answer) -> list[str]:
        asked = []
        monkeypatch.setattr(api.Server, "get", lambda _, path, *__: asked.append(path) or answer)
        return asked

    return serve


def by_region():
    """Results of a survey whose groups were compared, one of them too small."""
    north = {"attribute": "region", "option": "north", **result([1], 200)}
    west = {"attribute": "region", "option": "west", **result([1], 9)}
    pair = {"options": ["north", "south"], "n": [200, 300], "value": 0.125, "low": -0.05,
            "high": 0.3, "adjusted_p_value": 0.0312}  # fmt: skip
    north["estimates"][0]["n"] = 200
    compared = {"attribute": "region", "answer": "yes", "pairs": [pair]}
    question = result([1], 209) | {"groups": [north, west], "comparisons": [compared]}
    return {"survey": {"id": "habits"}, "attributes": [{"id": "region"}], "confidence": 0.95,
            "looks": "every", "questions": [question]}  # fmt: skip


def test_groups_are_shown_and_compared(tossup, served):
    """A row a group, with its n even if it is too small, and a row a pair."""
    served(by_region())
    done = tossup("estimate", "habits", "--by", "region")

    assert done.exit_code == 0
    assert ["north", "yes", "50.0", "%", "40.0", "%", "to", "60.0", "%", "200"] == (
        done.stdout.splitlines()[1].split()[1:]
    )
    assert "too few reports (from 100 on)        9" in done.stdout
    assert "north less south  12.5    -5.0 to 30.0" in done.stdout
    assert "at every look together" in done.stderr


def test_an_attribute_that_nobody_has_is_named_with_those_there_are(tossup, served):
    """The error lists the survey's own."""
    served(by_region())
    done = tossup("estimate", "habits", "--by", "age")

    assert (done.exit_code, "it has region" in done.stderr) == (1, True)


def test_method_anytime_asks_for_intervals_that_hold_at_every_look(tossup, served):
    """The server makes them; the confidence is passed on."""
    asked = served(by_region())
    tossup("estimate", "habits", "--method", "anytime", "--confidence", "0.9")

    assert asked == ["/v1/surveys/habits/results?confidence=0.9&looks=every"]


@pytest.mark.parametrize(
    "options", [("--method", "wald"), ("--compare",), ("--summary", "--by", "x")]
)
def test_what_a_survey_on_the_server_does_not_have_is_refused(tossup, options):
    """Rather than ignored."""
    done = tossup("estimate", "habits", *options)

    assert (done.exit_code, "--by and --joint" in done.stderr) == (2, True)


def test_two_questions_are_shown_together(tossup, served):
    """Every pair with its interval and n; what the reports do not bound is a dash."""
    cell = {"answers": ["no", "yes"], "n": 1600, "value": 0.25, "low": 0.2, "high": 0.3}
    unbounded = {"value": 0.5, "low": None, "high": None}
    measure = {"n": 1600, "value": 2.0, "low": 1.0, "high": 4.0}
    served({"questions": ["tried", "told"], "n": 1600, "minimum": 100, "suppressed": False,
            "confidence": 0.95, "warning": None, "cells": [cell], "conditional": [unbounded],
            "independence": {"p_value": 0.031}, "phi": None, "odds_ratio": measure})  # fmt: skip
    done = tossup("estimate", "habits", "--joint", "tried,told")

    assert done.exit_code == 0
    assert "25.0 % (20.0 % to 30.0 %)  –" in done.stdout
    assert "p = 0.031" in done.stdout
    assert "Odds ratio: 2.0 (1.0 to 4.0)" in done.stdout


def test_an_odds_ratio_may_have_no_upper_end(tossup, served):
    """Where a cell is too near to nought, the JSON of results has null."""
    cell = {"answers": ["no", "yes"], "n": 1600, "value": 0.25, "low": 0.2, "high": 0.3}
    measure = {"n": 1600, "value": 2.0, "low": 0.25, "high": None}
    served({"questions": ["tried", "told"], "n": 1600, "minimum": 100, "suppressed": False,
            "confidence": 0.95, "warning": None, "cells": [cell], "conditional": [cell],
            "independence": None, "phi": None, "odds_ratio": measure})  # fmt: skip
    done = tossup("estimate", "habits", "--joint", "tried,told")

    assert (done.exit_code, "Odds ratio: 2 (0.25 or more)" in done.stdout) == (0, True)


def test_two_questions_with_too_few_reports_exit_with_3(tossup, served):
    """As estimates of one do."""
    served({"suppressed": True, "n": 12, "minimum": 100, "cells": []})

    assert tossup("estimate", "habits", "--joint", "a,b").exit_code == 3


def test_tables_put_numbers_to_the_right():
    """Columns align, so that rows can be compared."""
    rows = [{"a": "x", "n": 5}, {"a": "long", "n": 1234}]

    assert table(rows, ["a", "n"]) == "a        n\nx        5\nlong  1234"


@pytest.fixture
def refusing(survey, envelope, monkeypatch):
    """Make the device meet a server that refuses every report; return the survey's link."""
    from answers import problem

    from tossup.client import Response
    from tossup.client.upload import urllib_transport
    from tossup.shared.signing import b64url
    from tossup.shared.wire import MANIFEST_TYPE

    class Refusing:
        def __init__(self, _ca_file):
            pass

        def request(self, method, *_):
            if method == "GET":
                return Response(200, {"content-type": MANIFEST_TYPE}, envelope)
            status, headers, body = problem(400, "malformed")
            return Response(status, {name.lower(): text for name, text in headers.items()}, body)

    monkeypatch.setattr(urllib_transport, "UrllibTransport", Refusing)
    return f"https://example.org/v1/surveys/{survey.id}#key={b64url(survey.publisher.key)}"


def test_a_refused_report_is_told_and_exits_with_1(tossup, refusing):
    """The coins are tossed and spent, and the respondent learns that nothing will count."""
    done = tossup("answer", refusing, "ever_tried=yes", "region=north", "--yes")

    assert (done.exit_code, done.stdout[:20]) == (1, "0 report(s) sent to ")
    assert "the server refused 1 report(s): malformed" in done.stderr


def test_the_device_shows_what_it_holds(tossup, refusing):
    """Reports by state, what is spent, and topics, but no answer."""
    tossup("answer", refusing, "ever_tried=yes", "region=north", "--yes")

    told = json.loads(tossup("device", "status", refusing, "--json").stdout)
    assert (told["refused"], told["odds"], told["topics"]) == (
        {"malformed": 1},
        "3",
        ["habit"],
    )


def test_after_a_withdrawal_the_device_takes_part_only_when_told(tossup, refusing):
    """Refused with 4 until `tossup device consent`."""
    tossup("device", "withdraw", refusing)
    words = ("answer", refusing, "ever_tried=yes", "region=north", "--yes")
    refused = tossup(*words)
    tossup("device", "consent", refusing)

    assert (refused.exit_code, "Try: tossup device consent" in refused.stderr) == (4, True)
    assert "the server refused 1 report(s)" in tossup(*words).stderr


@pytest.mark.parametrize(
    "key", ["tsk_geheim\u00e9", "tsk_geheim\r\nX: y", "tsk_geheim\x7f", "tsk geheim"]
)
@pytest.mark.parametrize("in_file", [False, True])
def test_a_key_that_is_none_is_refused_and_not_repeated(tossup, monkeypatch, key, in_file):
    """Pasted with a stray character, it is told by its place alone."""
    if in_file:
        Path("key").write_bytes(key.encode())
        monkeypatch.setenv("TOSSUP_API_KEY_FILE", "key")
    else:
        monkeypatch.setenv("TOSSUP_API_KEY", key)
    done = tossup("survey", "list", "--url", UNREACHABLE, "--json")

    assert "holds no API key" in json.loads(done.stderr)["error"]["message"]
    assert (done.exit_code, "geheim" in done.output) == (1, False)


@pytest.mark.parametrize(
    "url",
    ["http://[", "ftp://x", "http://x:99999", "http://\u00e4\u00df.example", "http://a b", "x"],
)
def test_an_address_that_is_none_is_refused(tossup, url):
    """A slip in --url is no traceback."""
    done = tossup("survey", "list", "--url", url)

    assert (done.exit_code, "is not an address of a server" in done.stderr) == (1, True)


def test_a_survey_file_that_is_no_text_is_refused(tossup):
    """Saved as Latin-1 or UTF-16, it is told so, with the first wrong byte."""
    Path("survey.toml").write_bytes(SURVEY.replace("Habits", "Gewohnheit für").encode("latin-1"))
    done = tossup("survey", "create", "survey.toml", "--json")
    other = tossup("simulate", "survey.toml", "--truth", "ever_tried=0.3")

    assert "not text in UTF-8" in json.loads(done.stderr)["error"]["message"]
    assert (done.exit_code, other.exit_code) == (1, 1)


def test_wrong_usage_is_json_where_json_was_asked_for(tossup):
    """Scripts read one shape of error, whatever was wrong; without --json click's words stay."""
    done = tossup("survey", "create", "--json")
    port = tossup("serve", "--port", "99999", "--json")
    plain = tossup("survey", "create")

    assert json.loads(done.stderr)["error"] == {
        "exit_code": 2,
        "message": "Missing argument 'FILE'.",
        "fix": "tossup survey create --help",
    }
    assert (done.exit_code, port.exit_code, plain.exit_code) == (2, 2, 2)
    assert "'--port'" in json.loads(port.stderr)["error"]["message"]
    assert plain.stderr.startswith("Usage: ")


@pytest.fixture
def strange(request):
    """Serve one answer, whatever is asked, as a stranger at the server's address would."""
    import threading
    from http.server import BaseHTTPRequestHandler, HTTPServer

    status, kind, body, length = request.param

    class Stranger(BaseHTTPRequestHandler):
        def do_GET(self):
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            self.send_response_only(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(length))
            self.end_headers()
            self.wfile.write(body)

        def do_POST(self):
            self.do_GET()

    with HTTPServer(("127.0.0.1", 0), Stranger) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


HTML = b"<html>Welcome</html>"
ASKING = [
    ("survey", "list"),
    ("survey", "show", "habits"),
    ("survey", "close", "habits", "--yes"),
    ("survey", "create", "survey.toml"),
    ("estimate", "habits"),
    ("export", "habits"),
    ("export", "habits", "--format", "json"),
]


@pytest.mark.parametrize(
    "strange",
    [
        (200, "text/html", HTML, len(HTML)),
        (200, "application/json", HTML, len(HTML)),
        (200, "application/json", b"[]", 2),
        (403, "text/html", HTML, len(HTML)),
        (403, "application/problem+json", b"[]", 2),
        (403, "application/problem+json", b"[]", 200),
        (200, "application/json", b"{}", 200),
    ],
    indirect=True,
    ids=["page", "no json", "no object", "forbidden", "no problem", "broken problem", "broken"],
)
@pytest.mark.parametrize("command", ASKING, ids=" ".join)
def test_a_stranger_at_the_servers_address_is_told_apart(tossup, strange, command):
    """A page, or JSON of another kind, ends every command with words and nothing on stdout."""
    Path("survey.toml").write_text(SURVEY)
    done = tossup(*command, "--url", strange)

    assert done.exit_code in (1, 5)
    assert (done.stdout, "Error: " in done.stderr) == ("", True)


@pytest.mark.parametrize("strange", [(200, "text/csv", b"x" * 5000, 5000)], indirect=True)
def test_an_answer_longer_than_any_of_ours_is_an_error(tossup, strange, monkeypatch):
    """An export is whole or none."""
    monkeypatch.setattr(remote, "MAX_ANSWER_BYTES", 4096)
    done = tossup("export", "habits", "--url", strange, "-o", "habits.csv")

    assert (done.exit_code, Path("habits.csv").exists()) == (1, False)


def test_a_slip_in_the_path_of_the_publishers_key_founds_no_publisher(tossup):
    """A key is made at the default place, or where a new publisher was asked for."""
    Path("survey.toml").write_text(SURVEY)
    create = ("survey", "create", "survey.toml", "--publisher-key", "publsher.pem")
    refused = tossup(*create, "--url", UNREACHABLE)
    made = tossup(*create, "--url", UNREACHABLE, "--new-publisher-key")

    assert (refused.exit_code, "--new-publisher-key" in refused.stderr) == (1, True)
    assert (made.exit_code, Path("publsher.pem").exists()) == (5, True)


def test_doctor_asks_the_server_only_of_those_who_named_one(tossup):
    """Before any server runs, none is missing; a named one that is silent exits with 5."""
    by_default = tossup("doctor")  # no port of this test's is the default one
    named = tossup("doctor", "--url", UNREACHABLE)

    assert "server" in by_default.stdout
    assert (by_default.exit_code, named.exit_code) == (0, 5)


@pytest.mark.parametrize("command", [("estimate",), ("export",), ("survey", "show"), ("recount",)])
@pytest.mark.parametrize("survey_id", ["", "../x", "a b", "A"])
def test_what_can_be_no_surveys_id_is_wrong_usage(tossup, command, survey_id):
    """It is not even asked for."""
    assert tossup(*command, survey_id).exit_code == 2


def test_a_question_that_tells_nothing_is_named_in_the_table():
    """Enough reports and no estimate: a line says so, instead of none."""
    question = {"id": "hours", "suppressed": False, "minimum": 100, "n": 200, "estimates": []}
    (line,) = results._rows(question)

    assert ("hours", "–", "nothing can be estimated", 200) == (
        line["question"],
        line["estimate"],
        line["interval"],
        line["reports"],
    )


def test_a_device_is_the_same_in_every_folder(tossup, tmp_path, monkeypatch):
    """Its ledger is the user's; one of another place is named in full, or from the shell's."""
    link = f"{UNREACHABLE}/v1/surveys/habits-7#key={'A' * 43}"
    assert tossup("device", "status", link).exit_code == 0
    assert (tmp_path / ".local/share/tossup/device.db").is_file()
    assert tossup("device", "status", link, "--store", "own.db").exit_code == 0
    assert (tmp_path / "own.db").is_file()
    monkeypatch.setenv("TOSSUP_STORE", "relative.db")
    refused = tossup("device", "status", link)

    assert (refused.exit_code, "absolute path" in refused.output) == (2, True)
    assert not (tmp_path / "relative.db").exists()


@pytest.mark.parametrize("name", ["a\udcff", "a\nb", "\u202e", " "])
def test_a_key_takes_a_name_that_can_be_kept_and_listed(tossup, name):
    """Bytes of an argument that are no text reach no database."""
    assert tossup("key", "create", name, "--data", "d").exit_code == 2
    assert tossup("key", "create", "ноутбук", "--data", "d").exit_code == 0
