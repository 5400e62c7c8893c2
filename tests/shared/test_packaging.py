"""What is installed: a small wheel for devices, another for servers; and locks that agree."""

import json
import os
import re
import subprocess
import sys
import tomllib
import venv
from importlib.metadata import distribution
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = ("client", "server", "shared")
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
DEVICE_PACKAGES = {"cryptography", "cffi", "pycparser"}  # cryptography and what it needs

ANSWER = """
import json, sys
from tossup.client import Client, Outcome

class Recorded:
    '''A server in memory: the manifest, and a receipt for whatever comes.'''

    def __init__(self, envelope):
        self.envelope, self.posted = envelope, 0

    def request(self, method, url, headers, body, timeout_seconds):
        from tossup.client.upload.transport import Response
        from tossup.shared import wire
        if method == "GET":
            return Response(200, {"content-type": wire.MANIFEST_TYPE}, self.envelope)
        self.posted += 1
        receipt = wire.encode_receipt(wire.Receipt(1))
        return Response(200, {"content-type": wire.RECEIPT_TYPE}, receipt)

store, envelope, key = sys.argv[1], open(sys.argv[2], "rb").read(), sys.argv[3]
server = Recorded(envelope)
link = "https://example.org/v1/surveys/habits-7#key=" + key
client = Client(link, store=store, transport=server, strict=True)
outcome = client.answer({"ever_tried": True, "rating": "r2", "region": "north"})
sent = client.flush()
from importlib.metadata import distributions
names = sorted({d.name for d in distributions()})
print(json.dumps({"outcome": outcome.name, "sent": sent.sent, "installed": names}))
"""


def build(source: Path, folder: Path) -> Path:
    """Build the wheel of a distribution of this tree."""
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check"]
    command += ["--no-deps", "--no-build-isolation", "--wheel-dir", str(folder), str(source)]
    subprocess.run(command, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """The wheel of the device."""
    return build(ROOT, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def server_wheel(tmp_path_factory) -> Path:
    """The wheel of the server."""
    return build(ROOT / "server", tmp_path_factory.mktemp("server"))


def project(folder: str) -> dict[str, Any]:
    """Return what a distribution says of itself."""
    return tomllib.loads((ROOT / folder / "pyproject.toml").read_text())


@pytest.fixture(scope="module")
def device(wheel, tmp_path_factory) -> Path:
    """The Python of a fresh environment that holds the wheel, cryptography and its own needs.

    They are linked from this environment, so that the test needs no network.
    """
    folder = tmp_path_factory.mktemp("device")
    venv.create(folder, with_pip=False)
    (site,) = folder.glob("lib/python*/site-packages")
    with ZipFile(wheel) as archive:
        archive.extractall(site)
    for name in DEVICE_PACKAGES:
        for top in {file.parts[0] for file in distribution(name).files or ()} - {".."}:
            (site / top).symlink_to(Path(distribution(name).locate_file(top)))
    return folder / "bin" / "python"


def run(python: Path, *arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    bare = {k: v for k, v in os.environ.items() if k not in {"PYTHONPATH", "VIRTUAL_ENV"}}
    command = [python, *arguments]
    return subprocess.run(command, check=False, capture_output=True, text=True, env=bare, cwd=cwd)


def names(wheel: Path) -> set[str]:
    with ZipFile(wheel) as archive:
        return set(archive.namelist())


def pins(lock: str) -> dict[str, tuple[str, ...]]:
    """Return every pinned requirement of a lock with its hashes."""
    text = (ROOT / lock).read_text().replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line and not line.lstrip().startswith("#")]
    return {line.split()[0]: tuple(re.findall(r"--hash=(\S+)", line)) for line in lines}


def test_no_file_hides_the_siblings_of_the_namespace():
    """An __init__.py directly under a tossup/ folder would hide the other two folders."""
    assert [f for f in FOLDERS if (ROOT / f / "tossup" / "__init__.py").exists()] == []


def test_what_an_app_embeds_weighs_at_most_270_kb(wheel):
    """Small enough to be read: decision 0018 says what weighs."""
    assert wheel.stat().st_size <= 270_000


def test_an_app_embeds_no_code_of_the_server(wheel):
    """Client and shared, the licence and nothing else; no vectors (decision 0010)."""
    tops = {"/".join(name.split("/")[:2]) for name in names(wheel)}

    assert tops - {"tossup/client", "tossup/shared"} == {
        f"tossup-{VERSION}.dist-info/{name}" for name in ("METADATA", "RECORD", "WHEEL", "licenses")
    }
    assert [name for name in names(wheel) if "shared/vectors/" in name] == []


def test_the_server_brings_no_second_copy_of_the_device(server_wheel):
    """It requires the device's distribution of exactly its version instead."""
    assert [name for name in names(server_wheel) if re.match("tossup/(client|shared)/", name)] == []
    assert {name.split("/")[0].split("-")[0] for name in names(server_wheel)} == {
        "tossup",
        "tossup_server",
    }
    assert f"tossup=={VERSION}" in project("server")["project"]["dependencies"]
    assert project("server")["project"]["version"] == VERSION


@pytest.mark.parametrize(
    "pattern",
    [
        r"tossup/server/py\.typed",
        r"tossup/server/store/migrations/.+",
        r"tossup/server/web/pages/templates/.+\.html",
        r"tossup/server/web/pages/translations/.+\.mo",
        r"tossup_server-.+\.dist-info/licenses/LICENSE",
    ],
)
def test_the_server_holds_what_code_reads_at_run_time(server_wheel, pattern):
    """Types, migrations, templates, translations and the licence are in the wheel."""
    assert any(re.fullmatch(pattern, name) for name in names(server_wheel))


def test_the_device_is_typed(wheel):
    """Type checkers of host apps read its annotations."""
    assert {"tossup/client/py.typed", "tossup/shared/py.typed"} <= names(wheel)


def test_both_have_the_same_licence():
    """A distribution can only hold files of its own folder, so that there are two copies."""
    assert (ROOT / "LICENSE").read_bytes() == (ROOT / "server/LICENSE").read_bytes()


@pytest.mark.parametrize("folder", ["", "server"])
def test_building_twice_gives_the_same_bytes(wheel, server_wheel, tmp_path, folder):
    """Who builds a release again can compare it with the published one."""
    first = server_wheel if folder else wheel

    assert build(ROOT / folder, tmp_path).read_bytes() == first.read_bytes()


def test_the_device_needs_cryptography_alone(device):
    """The distribution requires exactly one other, and has no extras."""
    shown = run(device, "-c", "from importlib.metadata import requires; print(requires('tossup'))")

    assert [re.match(r"[a-z]+", line)[0] for line in eval(shown.stdout)] == ["cryptography"]


def test_the_device_answers_a_survey_with_cryptography_alone(device, tmp_path, envelope, survey):
    """The installed SDK verifies, tosses, stores and sends where nothing else is installed."""
    from tossup.shared.signing import b64url

    (tmp_path / "envelope").write_bytes(envelope)
    arguments = (str(tmp_path / "device.db"), str(tmp_path / "envelope"))
    done = run(device, "-c", ANSWER, *arguments, b64url(survey.publisher.key))

    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["outcome"], told["sent"]) == ("QUEUED", 2)
    assert set(told["installed"]) == DEVICE_PACKAGES | {"tossup"}


@pytest.mark.prove
@pytest.mark.registry
@pytest.mark.parametrize("version", ["the lowest", "the newest"])
def test_the_device_works_with_every_version_of_cryptography(wheel, tmp_path, version):
    """Installed by pip from a registry, it verifies manifests, and no deprecation is raised.

    The newest may be newer than the lock's. About 15 s each, most of it pip's.
    """
    (declared,) = project("")["project"]["dependencies"]
    pinned = declared.replace(">=", "==") if version == "the lowest" else "cryptography"
    venv.create(tmp_path / "own", with_pip=False)
    python = tmp_path / "own" / "bin" / "python"
    install = ["-m", "pip", "--python", python, "install", "--quiet", "--only-binary", ":all:"]
    subprocess.run([sys.executable, *install, wheel, pinned], check=True)
    (site,) = (tmp_path / "own").glob("lib/python*/site-packages")
    (site / "tests.pth").write_text(os.path.dirname(os.path.dirname(pytest.__file__)))

    tests = ["tests/shared/test_signing.py", "tests/client/test_manifests.py"]
    tls = ["tests/client/test_uploads.py", "-k", "test_signing or test_manifests or certificate"]
    done = run(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests, *tls, cwd=ROOT)
    assert done.returncode == 0, done.stdout
    used = run(python, "-c", "import cryptography; print(cryptography.__file__)")
    assert used.stdout.startswith(str(site))


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-server.lock"])
def test_locks_pin_with_hashes_and_name_no_address(lock):
    """Every requirement is pinned and hashed; any mirror will do."""
    text = (ROOT / lock).read_text()

    assert re.findall(r"https?:|file:|--index|--find-links|@ ", text) == []
    assert [name for name, hashes in pins(lock).items() if "==" not in name or not hashes] == []


def test_the_servers_lock_is_a_part_of_the_whole():
    """Both locks pin the same versions with the same hashes."""
    whole = pins("requirements.lock")

    assert {k: whole.get(k) for k in pins("requirements-server.lock")} == pins(
        "requirements-server.lock"
    )


def test_locks_name_every_declared_dependency():
    """A dependency added to a pyproject.toml without `make lock` is found here."""
    device, server = project(""), project("server")
    served = [*device["project"]["dependencies"], *server["project"]["dependencies"]]
    developed = [*served, *device["dependency-groups"]["dev"]]

    for lock, declared in (("requirements-server.lock", served), ("requirements.lock", developed)):
        wanted = {re.match(r"[A-Za-z0-9-]+", line)[0].lower() for line in declared} - {"tossup"}
        assert wanted <= {name.partition("==")[0] for name in pins(lock)}
