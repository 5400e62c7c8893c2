"""Caddy and nginx before a server, as the guide to deploying sets them up, and as it does not."""

import json
import os
import re
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
from time import sleep

import pytest
from click.testing import CliRunner
from deploying import DEPLOY, blocks, free_port

from tossup.client import Client, Outcome
from tossup.client.upload.urllib_transport import UrllibTransport
from tossup.server.cli.operating import outside
from tossup.server.cli.root import root
from tossup.shared.wire import MAX_BODY_BYTES, REPORTS_TYPE

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
        for _ in range(3000):
            with suppress(OSError), socket.create_connection(("127.0.0.1", until), 1):
                break
            assert program.poll() is None, program.stderr.read()
            sleep(0.1)
        yield
    finally:
        program.send_signal(signal.SIGTERM)
        program.communicate()


#: What may stand in a proxy's configuration that is wrong: before which server, the check that
#: finds it, and a part of what it says.
MISTAKES = [
    ("handle /opinions/* {\nreverse_proxy SERVER\n}", 1, "proxy", "it must take it away first"),
    ("reverse_proxy SERVER", 1, "addresses", "pages lead to /opinions/"),
    (
        "request_body {\nmax_size 100KB\n}\nreverse_proxy SERVER",
        0,
        "largest batch",
        "let it through",
    ),
    (
        "header -Content-Security-Policy\nreverse_proxy SERVER",
        0,
        "headers",
        "the content security policy is lost",
    ),
    ("header -Strict-Transport-Security\nreverse_proxy SERVER", 0, "HSTS", "is not sent"),
    (
        'reverse_proxy SERVER {\nheader_down Date "Mon, 01 Jan 2001 00:00:00 GMT"\n}',
        0,
        "server's clock",
        "wrong",
    ),
    ("reverse_proxy SERVER {\nheader_up Host evil.example\n}", 0, "proxy", "pass Host on"),
    ("redir https://elsewhere.example/ 302", 0, "proxy", "302 leads to https://elsewhere.example/"),
    (
        'reverse_proxy SERVER {\nheader_down Strict-Transport-Security ".*" "max-age=0"\n}',
        0,
        "HSTS",
        "is max-age=0, which ends it",
    ),
    ("respond 200", 0, "proxy", "no Tossup server"),
    ("respond 404", 0, "proxy", "no Tossup server"),
]


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
    for port, (how, place, _, _) in zip(ports[2:], MISTAKES, strict=True):
        text += f"https://localhost:{port} {{\n{how}\n}}\n".replace(
            "SERVER", servers[place]["listens"]
        )
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
    log = f"access_log {folder}/access.log;\n"  # what Debian's own configuration says, elsewhere
    (folder / "nginx.conf").write_text(f"{head}http {{\n{log}{text}}}\n")
    return ["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf"), "-g", "user root;"]


def at(text: str, server: dict[str, str]) -> str:
    """Return a configuration with the server where it is, not on port 8080."""
    assert "127.0.0.1:8080" in text
    return text.replace("127.0.0.1:8080", server["listens"])


def ipv6() -> str:
    """Return this machine's own address in IPv6, or in IPv4 where it has none."""
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        return "127.0.0.1"
    return "[::1]"


HOSTS = ("127.0.0.1", ipv6())


@pytest.fixture(scope="module", params=[caddy, nginx])
def deployed(request, tmp_path_factory) -> Iterator[list[Deployed]]:
    """Two servers behind one proxy: on a host of its own, and under a path."""
    folder = tmp_path_factory.mktemp(request.param.__name__)
    ports = [free_port() for _ in (0, 1, *MISTAKES)]
    urls = [f"https://localhost:{ports[0]}", f"https://localhost:{ports[1]}{PREFIX}"]
    with ExitStack() as stack:
        servers = []
        for place, url in enumerate(urls):
            port, host = free_port(), HOSTS[place]
            listening = ("--host", host, "--port", str(port), "--public-url", url)
            told = stack.enter_context(serving(folder / f"data{place}", *listening))
            servers.append(told | {"listens": f"{host}:{port}"})
        command = request.param(folder, ports, servers)
        stack.enter_context(
            running(command, until=ports[0], env=os.environ | {"HOME": str(folder)})
        )
        authority = folder / "root.crt"
        if request.param is caddy:
            authority = folder / "pki/authorities/local/root.crt"
        urls += [f"https://localhost:{port}{PREFIX * (not n)}" for n, port in enumerate(ports[2:])]
        served = [0, 1, *(place for _, place, _, _ in MISTAKES)]
        yield [
            Deployed(url, authority, servers[place], folder / f"data{place}")
            for url, place in zip(urls, served, strict=True)
        ]


def test_the_whole_road_leads_through_the_proxy(deployed: list[Deployed], tmp_path: Path) -> None:
    """A survey is published, answered by its link, and counted: on a host, and under a path."""
    for place, each in enumerate(deployed[:2]):
        (tmp_path / "habits.toml").write_text(SURVEY)
        made = each.tossup("survey", "create", str(tmp_path / "habits.toml"))
        link = made.stdout.strip()
        client = Client(
            link,
            store=str(tmp_path / f"{place}.db"),
            transport=UrllibTransport(str(each.authority)),
            timeout_seconds=300,
            strict=True,
        )
        outcome = client.answer({"ever_tried": True})
        sent = client.flush().sent
        counted = each.tossup("recount", "habits", "--data", str(each.data), "--json")

        assert link.startswith(f"{each.url}/v1/surveys/habits#key="), made.stderr
        assert (Outcome.QUEUED, 1) == (outcome, sent)
        assert 1 == json.loads(counted.stdout)["reports"]


def test_doctor_finds_nothing_wrong_from_outside(deployed: list[Deployed]) -> None:
    """With the configuration as it stands in the guide, on a host and under a path."""
    for each in deployed[:2]:
        done = each.tossup("doctor", "--url", each.url, "--data", str(each.data), "--json")
        checks = {c["check"]: c for c in json.loads(done.stdout)["checks"]}
        seen = ("TLS", "HTTP/2", "keep-alive", "HSTS", "server's clock", "headers", "addresses")
        sizes = ("largest batch", "larger than that", "server", "access")

        assert 0 == done.exit_code, done.output
        assert ["ok"] * 11 == [checks[what]["result"] for what in (*seen, *sizes)], checks
        assert "metrics" not in checks


def test_doctor_finds_each_mistake_of_a_proxy(deployed: list[Deployed]) -> None:
    """And says what to change; of a certificate that nobody signed, that it is not accepted."""
    if "caddy" not in str(deployed[0].data):
        return  # the checks do not depend on which proxy made the mistake
    for each, (how, _, what, told) in zip(deployed[2:], MISTAKES, strict=True):
        done = each.tossup("doctor", "--url", each.url, "--data", "nowhere", "--json")
        checks = {c["check"]: (c["result"], c["found"]) for c in json.loads(done.stdout)["checks"]}

        assert ("bad", True) == (checks[what][0], told in checks[what][1]), (how, checks)
        assert 1 == done.exit_code, how
    stranger = deployed[0].tossup("doctor", "--data", "nowhere", SSL_CERT_FILE="/dev/null")

    assert "bad   TLS: the certificate or the handshake is not accepted" in stranger.stdout


def test_doctor_sees_whether_the_port_without_tls_leads_to_https(
    deployed: list[Deployed], monkeypatch: pytest.MonkeyPatch
) -> None:
    """nginx leads there as the guide sets it up; a bare server's port is told from none."""
    if "nginx" not in str(deployed[0].data):
        return  # Caddy leads there on port 80 alone, which these tests leave to others
    configured = (deployed[0].authority.parent / "nginx.conf").read_text()
    plain = re.search(r"listen ([0-9]+);", configured)
    own = deployed[0].told["listens"].rpartition(":")[2]
    monkeypatch.setattr(outside, "_TLS_PORT", int(deployed[0].url.rpartition(":")[2]))
    found = []
    for port in (plain[1], own, str(free_port())):
        monkeypatch.setattr(outside, "_PLAIN_PORT", int(port))
        done = deployed[0].tossup("doctor", "--data", "nowhere", "--json")
        checks = {c["check"]: (c["result"], c["found"]) for c in json.loads(done.stdout)["checks"]}
        found.append(checks["http"])

    assert [
        ("ok", "leads to https"),
        ("bad", f"port {own} answers 200 without TLS; redirect it to https"),
        ("ok", "nothing answers without TLS"),
    ] == found


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


def test_nginx_takes_a_network_of_ipv6_for_one_client(tmp_path: Path) -> None:
    """By what counts requests in the guide's file: half of an address, in whichever form."""
    (client,) = re.findall(r"^map .*?^}", (DEPLOY / "nginx.conf").read_text(), re.M | re.S)
    port = free_port()
    own = f"listen 127.0.0.1:{port}; set_real_ip_from 127.0.0.1; real_ip_header X-Address;"
    (tmp_path / "nginx.conf").write_text(
        f"daemon off; pid {tmp_path}/pid; error_log {tmp_path}/log; events {{}}\nhttp {{\n"
        f"access_log off;\n{client}\nserver {{ {own} return 200 $tossup_client; }} }}\n"
    )
    asked = {
        "2001:db8:0:7:1:2:3:4": "2001:db8:0:7",
        "2001:db8:0:7::9": "2001:db8:0:7",
        "2001:db8:8::9": "2001:db8:8::",
        "2001:db8:8::a:b": "2001:db8:8::",
        "::1": "::",
        "192.0.2.7": "192.0.2.7",
    }
    with running(["nginx", "-p", str(tmp_path), "-c", str(tmp_path / "nginx.conf")], until=port):
        found = {}
        for address in asked:
            with closing(HTTPConnection("127.0.0.1", port)) as one:
                one.request("GET", "/", headers={"X-Address": address})
                found[address] = one.getresponse().read().decode()

    assert asked == found


def test_nginx_lets_an_address_have_so_many_requests_under_way(deployed: list[Deployed]) -> None:
    """200 that never end keep their address out while they last, and nobody else."""
    if "nginx" not in str(deployed[0].data):
        return
    each = deployed[0]

    def status(source: str) -> int:
        with closing(each.connect(source)) as asked:
            asked.request("GET", "/healthz")
            return asked.getresponse().status

    with ExitStack() as stack:
        held = [stack.enter_context(closing(each.connect("127.0.0.6"))) for _ in range(200)]
        for one in held:
            one.putrequest("POST", "/v1/reports")
            one.putheader("Content-Length", "100")
            one.endheaders(b"x")
        sleep(2)  # so that the rate of requests refuses nothing more
        for one in held:
            one.send(b"x")  # so that none of them is ended for being slow
        found = [status("127.0.0.6"), status("127.0.0.7")]
    for _ in range(100):
        if status("127.0.0.6") == 200:
            break
        sleep(0.1)
    else:
        pytest.fail("an address stays shut out when its requests are over")

    assert [429, 200] == found


def test_no_log_of_the_proxy_has_an_address(deployed: list[Deployed]) -> None:
    """After all of the above, refusals included; nor of what comes under a path of a host."""
    folder, found = deployed[0].data.parent, []
    for source, path in (("127.0.0.8", "/healthz"), ("127.0.0.9", "/metrics")):
        with closing(deployed[1].connect(source)) as asked:
            asked.request("GET", PREFIX + path)
            found.append(asked.getresponse().status)
    log = folder / "access.log"  # nginx's, of what is no survey's, in order; Caddy makes none
    for _ in range(100):
        if not log.exists() or "127.0.0.9" in log.read_text():
            break
        sleep(0.1)
    else:
        pytest.fail("the log that is looked at is none")
    logs = {log.name: log.read_text() for log in folder.rglob("*.log")}

    assert [200, 404] == found
    assert [] == [name for name, text in logs.items() if re.search(r"127\.0\.0\.[245678]\b", text)]
