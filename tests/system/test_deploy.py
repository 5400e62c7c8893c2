"""The guide to deploying, on real programs: Caddy, nginx, the unit, the container's steps."""

import json
import os
import re
import shlex
import signal
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPSConnection
from pathlib import Path
from shutil import copyfile, copytree
from time import sleep, time

import pytest
from click.testing import CliRunner

from tossup.client import Client, Outcome
from tossup.client.upload.urllib_transport import UrllibTransport
from tossup.server.cli.root import root
from tossup.server.config import Config
from tossup.server.store import SQLiteStore
from tossup.shared.wire import MAX_BODY_BYTES, REPORTS_TYPE

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
GUIDE = ROOT / "docs/how-to/deploy.md"
PREFIX = "/opinions"
SURVEY = """
id = "habits"
title = "Habits"
purpose = "To learn how common a habit is."
[publisher]
name = "Example University"
contact = "irb@example.org"
[[question]]
id = "ever_tried"
text = "Have you ever tried it?"
"""

pytestmark = pytest.mark.prove


def blocks(language: str) -> list[str]:
    """Return the blocks of the guide in one language."""
    return re.findall(rf"```{language}\n(.*?)```", GUIDE.read_text("utf-8"), re.DOTALL)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


@dataclass(frozen=True)
class Deployed:
    """A server behind a proxy: its public address, whom to trust for it, and its key."""

    url: str
    authority: Path
    told: dict[str, str]
    data: Path

    def connect(self, source: str = "127.0.0.1") -> HTTPSConnection:
        """Return a connection that comes from an address of this machine."""
        context = ssl.create_default_context(cafile=str(self.authority))
        port = int(self.url.split(":")[2].partition("/")[0])
        return HTTPSConnection("localhost", port, context=context, source_address=(source, 0))

    def tossup(self, *arguments: str, **more: str):
        """Run a command as someone does on another machine, who trusts the same authority."""
        own = {"TOSSUP_URL": self.url, "SSL_CERT_FILE": str(self.authority)} | more
        own |= {"TOSSUP_API_KEY": self.told["api_key"], "HOME": str(self.data.parent)}
        gone = dict.fromkeys(name for name in os.environ if name.startswith("TOSSUP_"))
        return CliRunner().invoke(root, arguments, env=gone | own)


#: The command, with 2 attempts to sign in from one address, since each of 50 takes half a second.
COMMAND = (
    "from tossup.server.web.people import sign_in; sign_in.BY_ADDRESS = 2;"
    "from tossup.server.cli import main; main()"
)


@contextmanager
def serving(data: Path, *arguments: str) -> Iterator[dict[str, str]]:
    """Run ``tossup serve`` as the guide's unit does, and yield what it says when it is ready."""
    bare = {name: value for name, value in os.environ.items() if not name.startswith("TOSSUP_")}
    server = subprocess.Popen(
        [sys.executable, "-c", COMMAND, "serve", "--json", "--data", str(data), *arguments],
        env=bare | {"TOSSUP_TRUSTED_PROXIES": "1"},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield json.loads(server.stdout.readline())
    finally:
        server.send_signal(signal.SIGTERM)
        server.communicate()


@contextmanager
def running(command: list[str], *, until: int, **more: object) -> Iterator[None]:
    """Run a program until it accepts connections on a port, and end it by SIGTERM."""
    program = subprocess.Popen(command, stderr=subprocess.PIPE, **more)
    try:
        for _ in range(300):
            with suppress(OSError), socket.create_connection(("127.0.0.1", until), 1):
                break
            assert program.poll() is None, program.stderr.read()
            sleep(0.1)
        yield
    finally:
        program.send_signal(signal.SIGTERM)
        program.communicate()


def caddy(folder: Path, ports: list[int], servers: list[dict[str, str]]) -> list[str]:
    """Write Caddy's configuration, and return how it is started."""
    site, prefixed = (DEPLOY / "Caddyfile").read_text(), blocks("caddyfile")[0]
    head = (
        "{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n"
        f"\tstorage file_system {folder}\n}}\n"
    )
    first = site.replace("survey.example.org", f"https://localhost:{ports[0]}")
    second = f"https://localhost:{ports[1]} {{\n{prefixed}}}\n"
    text = head + at(first, servers[0]) + at(second, servers[1])
    (folder / "Caddyfile").write_text(text)
    return ["caddy", "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]


def nginx(folder: Path, ports: list[int], servers: list[dict[str, str]]) -> list[str]:
    """Write nginx's configuration and a certificate, and return how it is started."""
    certificate = f"-keyout {folder}/key.pem -out {folder}/root.crt -subj /CN=localhost"
    names = "-addext subjectAltName=DNS:localhost -addext basicConstraints=CA:TRUE"
    kind = "-x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 90"
    making = f"openssl req {kind} {names} {certificate}".split()
    subprocess.run(making, check=True, capture_output=True)
    site = (DEPLOY / "nginx.conf").read_text()
    tls = "\n".join(re.findall(r"^ +ssl_.*;$", site, re.M))
    second = f"server {{\nlisten 443 ssl http2;\n{tls}\n{blocks('nginx')[0]}}}\n"
    text = at(site, servers[0]).replace("listen 443 ", f"listen {ports[0]} ")
    text += at(second, servers[1]).replace("listen 443 ", f"listen {ports[1]} ")
    live = "/etc/letsencrypt/live/survey.example.org"
    for old, new in (
        (f"{live}/fullchain.pem", str(folder / "root.crt")),
        (f"{live}/privkey.pem", str(folder / "key.pem")),
        ("listen 80;", f"listen {free_port()};"),
        ("survey.example.org", "localhost"),
        ("/var/log/nginx/tossup.log", str(folder / "error.log")),
    ):
        assert old in text
        text = text.replace(old, new)
    text = re.sub(r"^ +listen \[::\].*\n", "", text, flags=re.M)  # where there is no IPv6
    head = f"daemon off;\npid {folder}/pid;\nerror_log {folder}/main.log;\nevents {{}}\n"
    (folder / "nginx.conf").write_text(f"{head}http {{\n{text}}}\n")
    return ["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf"), "-g", "user root;"]


def at(text: str, server: dict[str, str]) -> str:
    """Return a configuration with the server where it is, not on port 8080."""
    assert "127.0.0.1:8080" in text
    return text.replace("127.0.0.1:8080", server["listens"])


@pytest.fixture(scope="module", params=[caddy, nginx])
def deployed(request, tmp_path_factory) -> Iterator[list[Deployed]]:
    """Two servers behind one proxy: on a host of its own, and under a path."""
    folder = tmp_path_factory.mktemp(request.param.__name__)
    ports = [free_port(), free_port()]
    urls = [f"https://localhost:{ports[0]}", f"https://localhost:{ports[1]}{PREFIX}"]
    with ExitStack() as stack:
        servers = []
        for place, url in enumerate(urls):
            port = free_port()
            told = stack.enter_context(
                serving(folder / f"data{place}", "--port", str(port), "--public-url", url)
            )
            servers.append(told | {"listens": f"127.0.0.1:{port}"})
        command = request.param(folder, ports, servers)
        stack.enter_context(
            running(command, until=ports[0], env=os.environ | {"HOME": str(folder)})
        )
        authority = folder / "root.crt"
        if request.param is caddy:
            authority = folder / "pki/authorities/local/root.crt"
        yield [
            Deployed(url, authority, told, folder / f"data{place}")
            for place, (url, told) in enumerate(zip(urls, servers, strict=True))
        ]


def test_the_whole_road_leads_through_the_proxy(deployed: list[Deployed], tmp_path: Path) -> None:
    """A survey is published, answered by its link, and counted: on a host, and under a path."""
    for place, each in enumerate(deployed):
        (tmp_path / "habits.toml").write_text(SURVEY)
        made = each.tossup("survey", "create", str(tmp_path / "habits.toml"))
        link = made.stdout.strip()
        client = Client(
            link,
            store=str(tmp_path / f"{place}.db"),
            transport=UrllibTransport(str(each.authority)),
            strict=True,
        )
        outcome = client.answer({"ever_tried": True})
        sent = client.flush().sent
        counted = each.tossup("recount", "habits", "--data", str(each.data), "--json")

        assert link.startswith(f"{each.url}/v1/surveys/habits#key="), made.stderr
        assert (Outcome.QUEUED, 1) == (outcome, sent)
        assert 1 == json.loads(counted.stdout)["reports"]


def test_doctor_finds_nothing_wrong_from_outside(deployed: list[Deployed]) -> None:
    """With the configuration as it stands in the guide; the note is on metrics under a path."""
    for each in deployed:
        done = each.tossup("doctor", "--url", each.url, "--data", str(each.data), "--json")
        checks = {c["check"]: c for c in json.loads(done.stdout)["checks"]}
        seen = ("TLS", "HTTP/2", "keep-alive", "HSTS", "server's clock", "headers", "addresses")
        sizes = ("largest batch", "larger than that", "server", "access")

        assert 0 == done.exit_code, done.output
        assert ["ok"] * 11 == [checks[what]["result"] for what in (*seen, *sizes)], checks
        assert ("metrics" in checks) == each.url.endswith(PREFIX)


def test_a_whole_batch_goes_through_http_2_and_connections_are_kept(
    deployed: list[Deployed], tmp_path: Path
) -> None:
    """As browsers send it, two requests on one connection."""
    (tmp_path / "body").write_bytes(b"x" * MAX_BODY_BYTES)
    url = f"{deployed[0].url}/v1/reports"
    told = "%{http_version} %{http_code} %{num_connects}\\n"
    command = ["curl", "--silent", "--http2", "--cacert", deployed[0].authority]
    command += ["--header", f"Content-Type: {REPORTS_TYPE}", "--write-out", told]
    command += ["--data-binary", f"@{tmp_path}/body", *["--output", "/dev/null", url] * 2]
    done = subprocess.run(command, check=False, capture_output=True, text=True)

    assert ["2 400 1", "2 400 0"] == done.stdout.splitlines(), done.stderr


def test_attempts_to_sign_in_are_counted_by_the_clients_own_address(
    deployed: list[Deployed],
) -> None:
    """Whatever a client says of itself in X-Forwarded-For; another address is not kept out."""
    each = deployed[0]
    found = []
    for source, number in [("127.0.0.2", 0), ("127.0.0.2", 1), ("127.0.0.2", 2), ("127.0.0.3", 3)]:
        with closing(each.connect(source)) as connection:
            connection.request(
                "POST",
                "/sign-in",
                f"name=ada{number}&password={'x' * 15}",
                {
                    "Content-Type": "application/x-www-form-urlencoded",
                    "Origin": each.url,
                    "X-Forwarded-For": f"203.0.113.{number}",
                },
            )
            found.append(connection.getresponse().status)

    assert [403, 403, 429, 403] == found


def test_nginx_limits_each_address_by_itself(deployed: list[Deployed]) -> None:
    """Who floods is told when to come back, in the words of the protocol; others are answered."""
    if "nginx" not in str(deployed[0].data):
        return  # Debian's Caddy has no such limit; the guide says so
    refused = None
    with closing(deployed[0].connect("127.0.0.4")) as flood:
        for _ in range(2000):
            flood.request("GET", "/healthz")
            answer = flood.getresponse()
            body = answer.read()
            if answer.status == 429:
                refused = answer, body
                break
    with closing(deployed[0].connect("127.0.0.5")) as other:
        other.request("GET", "/healthz")
        status = other.getresponse().status

    assert refused is not None
    assert ("5", "*") == tuple(
        refused[0].headers[name] for name in ("Retry-After", "Access-Control-Allow-Origin")
    )
    assert "urn:tossup:error:busy" == json.loads(refused[1])["type"]
    assert 200 == status


def test_no_log_of_the_proxy_has_an_address(deployed: list[Deployed]) -> None:
    """After all of the above, refusals included."""
    logs = [*deployed[0].data.parent.rglob("*.log")]

    assert [] == [log.name for log in logs if re.search(r"127\.0\.0\.[245]\b", log.read_text())]


#: Forbids memory that is written and run, as the unit does; the kernel's number of the call.
NO_WRITTEN_CODE = (
    "import ctypes, runpy; assert ctypes.CDLL(None).prctl(65, 1, 0, 0, 0) == 0;"
    "runpy.run_module('tossup.server.cli', run_name='__main__')"
)


def confined(writable: Path) -> list[str]:
    """Return what runs a command as nobody in particular, on a root that it cannot write."""
    return [
        *("bwrap", "--die-with-parent", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"),
        *("--bind", str(writable), str(writable)),
        *("--unshare-user", "--uid", "10001", "--gid", "10001", "--cap-drop", "ALL"),
    ]


def answers(port: int, program: "subprocess.Popen[bytes]") -> int:
    """Return the status of /readyz once the program answers."""
    for _ in range(300):
        with suppress(OSError), closing(HTTPConnection("127.0.0.1", port, timeout=5)) as asked:
            asked.request("GET", "/readyz")
            return asked.getresponse().status
        assert program.poll() is None
        sleep(0.1)
    raise TimeoutError


def ended(program: "subprocess.Popen[bytes]") -> bytes:
    program.terminate()
    return program.communicate()[0]


def test_the_unit_is_exposed_to_little() -> None:
    """As systemd itself rates it, and as the guide says."""
    done = subprocess.run(
        ["systemd-analyze", "security", "--no-pager", "--offline=yes", DEPLOY / "tossup.service"],
        check=True,
        capture_output=True,
        text=True,
    )
    (exposure,) = re.findall(r"exposure level for tossup.service: ([\d.]+)", done.stdout)

    assert 2.0 >= float(exposure)
    assert f"rates what it is exposed to with {exposure} of 10" in GUIDE.read_text("utf-8")


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
    """By the unit's own two commands."""
    text = (DEPLOY / "tossup-backup.service").read_text()
    unit = re.findall(r"^ExecStart(?:Post)?=(.+)$", text, re.M)
    data, copies = tmp_path / "data", tmp_path / "copies"
    SQLiteStore(Config(data=data).database).close()
    copies.mkdir()
    for name, days in (("tossup-old.sqlite3", 8), ("tossup-new.sqlite3", 5), ("mine", 30)):
        (copies / name).touch()
        os.utime(copies / name, times=(time() - days * 86400,) * 2)
    for line in unit:
        command = shlex.split(line.replace("/var/backups/tossup", str(copies)))
        if command[0] == "/opt/tossup/bin/tossup":
            command[:1] = [sys.executable, "-m", "tossup.server.cli"]
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
    for old, new in (("/opt/tossup", tmp_path / "opt"), ("/data", data), ("8080", port)):
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
    command = json.loads(told["ENTRYPOINT"]) + json.loads(told["CMD"])
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
    assert b"TOSSUP_API_KEY=tsk_" in said
