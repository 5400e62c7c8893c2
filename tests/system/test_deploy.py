"""The guide to deploying, as it is typed; the unit, the nightly copies, the container's steps."""

import json
import os
import re
import shlex
import subprocess
import sys
from contextlib import closing, suppress
from http.client import HTTPConnection
from pathlib import Path
from shutil import copyfile, copytree
from time import sleep, time

import pytest
from deploying import DEPLOY, GUIDE, blocks, free_port

from tossup.server.config import Config
from tossup.server.store import SQLiteStore

ROOT = GUIDE.parents[2]

pytestmark = pytest.mark.prove


#: Forbids memory that is written and run, as the unit does; the kernel's number of the call.
NO_WRITTEN_CODE = (
    "import ctypes, runpy; assert ctypes.CDLL(None).prctl(65, 1, 0, 0, 0) == 0;"
    "runpy.run_module('tossup.server.cli', run_name='__main__')"
)


def confined(writable: Path) -> list[str]:
    """Return what runs a command as nobody in particular, on a root that it cannot write."""
    trial = ["bwrap", "--ro-bind", "/", "/", "--proc", "/proc", "--unshare-user", "true"]
    if subprocess.run(trial, check=False, capture_output=True).returncode:
        pytest.skip("this machine lets nobody make namespaces, as some containers do not")
    return [
        *("bwrap", "--die-with-parent", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"),
        *("--bind", str(writable), str(writable)),
        *("--unshare-user", "--uid", "10001", "--gid", "10001", "--cap-drop", "ALL"),
    ]


def answers(port: int, program: "subprocess.Popen[bytes]") -> int:
    """Return the status of /readyz once the program answers."""
    for _ in range(3000):
        with suppress(OSError), closing(HTTPConnection("127.0.0.1", port, timeout=5)) as asked:
            asked.request("GET", "/readyz")
            return asked.getresponse().status
        assert program.poll() is None
        sleep(0.1)
    raise TimeoutError


def ended(program: "subprocess.Popen[bytes]") -> bytes:
    program.terminate()
    return program.communicate()[0]


def exposure(unit: str) -> str:
    """Return how systemd itself rates what a unit is exposed to, from 0 to 10."""
    command = ["systemd-analyze", "security", "--no-pager", "--offline=yes", DEPLOY / unit]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return re.findall(rf"exposure level for {unit}: ([\d.]+)", done.stdout)[0]


def test_the_units_are_exposed_to_little() -> None:
    """The server, as the guide says; and what copies its data, which holds the same reports."""
    served, copied = exposure("tossup.service"), exposure("tossup-backup.service")

    assert 2.0 >= float(served) >= float(copied)
    assert f"rates what it is exposed to with {served} of 10" in GUIDE.read_text("utf-8")


def test_the_unit_starts_without_rights_and_stores(tmp_path: Path) -> None:
    """Its command, with its variables, where only its own folder can be written."""
    text = (DEPLOY / "tossup.service").read_text()
    unit = dict(re.findall(r"^(\w+)=(.+)$", text, re.M))
    variables = dict(pair.split("=", 1) for pair in unit["Environment"].split())
    program, *arguments = unit["ExecStart"].split()
    port, data = free_port(), tmp_path / "data"
    data.mkdir(mode=int(unit["StateDirectoryMode"], 8))
    variables |= {"TOSSUP_DATA": str(data), "TOSSUP_PORT": str(port), "HOME": "/nonexistent"}
    variables |= {"TOSSUP_PUBLIC_URL": "https://survey.example.org", "PATH": os.environ["PATH"]}
    running = subprocess.Popen(
        [*confined(data), sys.executable, "-c", NO_WRITTEN_CODE, *arguments], env=variables
    )
    status = answers(port, running)
    ended(running)

    assert "/opt/tossup/bin/tossup" == program
    assert ("/var/lib/tossup", "tossup") == (unit["Environment"][12:27], unit["StateDirectory"])
    assert 200 == status
    assert 0o600 == (data / "tossup.sqlite3").stat().st_mode & 0o777


def test_the_nightly_backup_copies_and_deletes_what_is_old(tmp_path: Path) -> None:
    """By the unit's own two commands; what is old goes even where the backup fails."""
    text = (DEPLOY / "tossup-backup.service").read_text()
    unit = re.findall(r"^ExecStart(?:Pre)?=(.+)$", text, re.M)
    data, copies = tmp_path / "data", tmp_path / "copies"
    SQLiteStore(Config(data=data).database).close()
    copies.mkdir()
    old = ("tossup-old.sqlite3", "tossup-half.sqlite3.partial", "tossup-half.sqlite3.partial-wal")
    new = (("tossup-new.sqlite3", 5), ("mine", 30))
    for name, days in (*((name, 8) for name in old), *new):
        (copies / name).touch()
        os.utime(copies / name, times=(time() - days * 86400,) * 2)
    for line in unit:
        command = shlex.split(line.replace("/var/backups/tossup", str(copies)))
        if command[0] == "/opt/tossup/bin/tossup":
            assert not any((copies / name).exists() for name in old)
            command[:1] = [sys.executable, "-c", NO_WRITTEN_CODE]
        subprocess.run(command, check=True, env=os.environ | {"TOSSUP_DATA": str(data)})

    (made,) = copies.glob("tossup-20*.sqlite3")
    assert {"mine", "tossup-new.sqlite3", made.name} == {path.name for path in copies.iterdir()}


def steps(text: str) -> list[tuple[str, str]]:
    """Return the steps of a Containerfile, by name."""
    whole = re.sub(r"\\\n +", "", text)
    return [(n, step) for n, step in re.findall(r"^([A-Z]+) (.+)$", whole, re.M) if n != "FROM"]


def copy(step: str, source: Path) -> None:
    """Copy from the repository, as ``COPY`` does."""
    *parts, target = step.split()
    for part in parts:
        to = source / target / part if target == "./" else source / target
        to.parent.mkdir(parents=True, exist_ok=True)
        make = copytree if (ROOT / part).is_dir() else copyfile
        make(ROOT / part, to)


def test_the_containers_steps_make_what_runs_confined(tmp_path: Path) -> None:
    """Its steps as a script, and then its command: by no name, on a root that cannot be written."""
    text = (DEPLOY / "Containerfile").read_text()
    source, data, port = tmp_path / "src", tmp_path / "data", free_port()
    for old, new in (("/opt/tossup", tmp_path / "opt"), ("/data", data)):
        assert old in text
        text = text.replace(old, str(new))
    told, quick = dict(steps(text)), os.environ | {"PIP_NO_COMPILE": "1", "PIP_QUIET": "1"}
    for name, step in steps(text):
        if name == "COPY" and not step.startswith("--from"):
            copy(step, source)
        if name == "RUN":
            subprocess.run(["sh", "-c", step], cwd=source, env=quick, check=True)
    owner = data.stat().st_uid
    os.chown(data, os.getuid(), os.getgid())  # who is 10001 to what is confined
    variables = dict(pair.split("=", 1) for pair in told["ENV"].split())
    variables["TOSSUP_PORT"] = str(port)
    command = json.loads(told["CMD"])
    running = subprocess.Popen(
        [*confined(data), *command], env=variables, cwd="/", stdout=subprocess.PIPE
    )
    status = answers(port, running)
    health = json.loads(re.search(r"CMD (\[.*)", told["HEALTHCHECK"])[1])
    healthy = subprocess.run(health, env=variables, check=False, capture_output=True).returncode
    said = ended(running)
    ill = subprocess.run(health, env=variables, check=False, capture_output=True).returncode

    assert 30 > len(text.splitlines())
    assert (200, 0, f"{owner}:{owner}") == (status, healthy, told["USER"])
    assert ill != 0
    assert b"" == said  # a log would keep it


#: Stands for every program of the guide that only a whole machine has, and for `sudo`.
STUB = """#!/bin/bash
name=$(basename "$0")
if [ "$name" = sudo ]; then
    [ "$1" = -u ] && shift 2
    exec env "$@"
fi
echo "$name $*" >> "$CALLS"
"""
OF_MACHINES = ("sudo", "apt-get", "systemctl", "adduser", "certbot", "podman", "pip", "doctor")


def test_the_guide_does_what_it_says_as_it_is_typed(tmp_path: Path) -> None:
    """Files land where they must, keys and links are made, and a copy comes back."""
    commands, machine, calls = (tmp_path / name for name in ("commands", "machine", "calls"))
    commands.mkdir()
    for name in OF_MACHINES:
        (commands / name).write_text(STUB)
    tossup = '#!/bin/sh\n[ "$1" = doctor ] && exec doctor "$@"\n'
    (commands / "tossup").write_text(f'{tossup}exec {sys.executable} -m tossup.server.cli "$@"\n')
    for command in commands.iterdir():
        command.chmod(0o755)
    for folder in ("etc/systemd/system", "etc/caddy", "etc/nginx/conf.d", "var/lib", "var/backups"):
        (machine / folder).mkdir(parents=True)
    store = SQLiteStore(Config(data=machine / "var/lib/tossup").database)
    store.close()
    typed = "".join(blocks("sh"))
    for old, new in (
        ("/opt/tossup/bin/", f"{commands}/"),
        ("-o tossup -g tossup ", ""),  # nobody is called so here
        ("python3 -m venv", "true"),  # the container's steps do the same
        ("sudo systemctl stop tossup\n", "tossup backup /var/backups/tossup/COPY\n"),
        ("/etc/", f"{machine}/etc/"),
        ("/var/", f"{machine}/var/"),
    ):
        assert old in typed
        typed = typed.replace(old, new)
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", typed],
        check=False,
        cwd=ROOT,
        env={"PATH": f"{commands}:{os.environ['PATH']}", "CALLS": str(calls), "HOME": str(tmp_path)}
        | {"TOSSUP_DATA": str(machine / "var/lib/tossup")},
        capture_output=True,
        text=True,
    )
    told = calls.read_text()
    (caddyfile, site) = (
        machine / "etc" / f for f in ("caddy/Caddyfile", "nginx/conf.d/tossup.conf")
    )

    assert 0 == done.returncode, done.stderr
    assert (
        "TOSSUP_PUBLIC_URL=https://survey.example.org\n" == (machine / "etc/tossup.env").read_text()
    )
    assert (DEPLOY / "Caddyfile").read_text() == caddyfile.read_text()
    assert (DEPLOY / "nginx.conf").read_text() == site.read_text()
    units = {path.name for path in DEPLOY.glob("tossup*")}
    assert units == {path.name for path in (machine / "etc/systemd/system").iterdir()}
    assert "https://survey.example.org/sign-in/" in done.stdout
    assert "tsk_" in done.stdout
    assert "Restored to" in done.stdout
    assert (machine / "var/lib/tossup/before/tossup.sqlite3").exists()
    for call in (
        "systemctl enable --now tossup\n",
        "systemctl reload caddy\n",
        "doctor doctor --url",
    ):
        assert call in told
    assert (
        "podman build --format docker --tag tossup --file server/deploy/Containerfile .\n" in told
    )
