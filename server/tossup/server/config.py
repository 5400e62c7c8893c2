"""The server's settings: the only reader of ``TOSSUP_*`` in the environment."""

import difflib
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from tossup.shared.errors import TossupError

_PREFIX = "TOSSUP_"
#: ``TOSSUP_PORT_FILE`` names a file whose text is the value of ``TOSSUP_PORT``.
_FILE = "_FILE"
_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_NO_NAMES = {"", "0.0.0.0", "::"}  # noqa: S104 - nobody is reached under these

#: Variables that commands other than the server read; see ``tossup --help``.
_OF_COMMANDS = frozenset(
    {
        "TOSSUP_API_KEY",
        "TOSSUP_API_KEY_FILE",
        "TOSSUP_STORE",
        "TOSSUP_URL",
    }
)

#: What Kubernetes, and Docker's links, set in every container beside a service called ``tossup``
#: or ``tossup-...``: ``TOSSUP_SERVICE_HOST``, ``TOSSUP_PORT=tcp://10.0.0.1:80`` and more.
_SERVICE_LINK = re.compile(
    r"TOSSUP_(\w+_)?(SERVICE_HOST=|SERVICE_PORT(_\w+)?=\d|PORT(_\d+_(TCP|UDP|SCTP))?=(tcp|udp|sctp)://"
    r"|PORT_\d+_(TCP|UDP|SCTP)_(PROTO|PORT|ADDR)=)"
)
_HOST_NAME = re.compile(r"[A-Za-z0-9_.-]+|\[?[0-9A-Fa-f:.]+(%[A-Za-z0-9]+)?\]?")
#: As a content security policy writes it; nothing that would end a directive.
_ORIGIN = re.compile(r"https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?")
#: What stands before every path where a proxy gives the server a part of its host alone.
_PATH_PREFIX = re.compile(r"(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*/?")
_ESCAPED = r"%(?!00)[0-9A-Fa-f]{2}"
_HOST = rf"(?:\[[^\s\]@/?]*\]|(?:[^\s%@/?:,\[\]]|{_ESCAPED})*)(?::[0-9]*)?"
_OPTION = rf"[^\s%=&]+=(?:[^\s%=&]|{_ESCAPED})*"
#: As libpq reads it, and stricter: of what it cannot read, libpq's messages quote the password.
_DATABASE = re.compile(
    rf"postgres(?:ql)?://(?:(?:[^\s%@/]|{_ESCAPED})*@)?"
    rf"(?P<place>{_HOST}(?:,{_HOST})*(?:/(?:[^\s%@?]|{_ESCAPED})*)?)"
    rf"(?:\?(?:{_OPTION}(?:&{_OPTION})*)?)?"
)
#: Enough for the largest number that a setting may be.
_MAX_DIGITS = 10
_MAX_FILE_BYTES = 64 * 1024


class ConfigError(TossupError):
    """A setting that the server does not know or cannot use."""


@dataclass(frozen=True)
class Config:
    """All settings of a server.

    Each comes from an argument, or from its variable, or from the file that the variable with
    ``_FILE`` at its end names: so a secret need not stand in the environment.

    Attributes
    ----------
    data
        Folder of the database, created with mode 0700. ``TOSSUP_DATA``.
    database_url
        A PostgreSQL database to use in place of the folder, as ``postgresql://user@host/name``.
        ``TOSSUP_DATABASE_URL``; a folder that is named as an argument goes before it.
    replica_url
        A standby of that database that results are read from. ``TOSSUP_REPLICA_URL``.
    host, port
        Where to listen; port 0 takes a free one. An IPv6 address may stand in brackets, which are
        taken away. ``TOSSUP_HOST``, ``TOSSUP_PORT``.
    threads
        Requests served at once; most of them wait for the disk together. ``TOSSUP_THREADS``.
    max_reports
        Reports that a survey may hold, withdrawn ones included: a flood of forged ones ends there.
        Ten million take 0.5 GB of memory and 0.3 GB of disk. ``TOSSUP_MAX_REPORTS``.
    public_url
        Where the world reaches the server, as ``https://host``, if not where it listens. With
        https, cookies are Secure and HSTS is sent. A path, as in ``https://host/survey``, is what
        a proxy takes away before it hands a request on. ``TOSSUP_PUBLIC_URL``.
    trusted_hosts
        Host names to answer to besides the loopback's and the public one. ``TOSSUP_TRUSTED_HOSTS``,
        separated by commas.
    trusted_proxies
        Number of proxies in front whose ``X-Forwarded-Proto`` is believed.
        ``TOSSUP_TRUSTED_PROXIES``.
    embedded_by
        Origins, as ``https://host``, whose pages may show respondents' pages in a frame; none by
        default. ``TOSSUP_EMBEDDED_BY``, separated by commas.
    publisher_key
        The file of the key with which surveys that are published in a browser are signed; by
        default that of ``tossup survey create``, ~/.config/tossup/publisher.pem.
        ``TOSSUP_PUBLISHER_KEY``.

    Raises
    ------
    ConfigError
        If a value cannot be used.
    """

    data: Path = field(default_factory=lambda: Path("tossup-data"))
    # It may hold a password.
    database_url: str | None = field(default=None, repr=False)
    replica_url: str | None = field(default=None, repr=False)
    host: str = "127.0.0.1"
    port: int = 8080
    threads: int = 64
    max_reports: int = 10_000_000
    public_url: str | None = None
    trusted_hosts: tuple[str, ...] = ()
    trusted_proxies: int = 0
    embedded_by: tuple[str, ...] = ()
    publisher_key: Path | None = None

    def __post_init__(self) -> None:
        _check_database("database_url", self.database_url)
        _check_database("replica_url", self.replica_url)
        if self.replica_url is not None and self.database_url is None:
            raise ConfigError("replica_url needs database_url: a folder has no replica")
        _check_range("port", self.port, 0, 65_535)
        _check_range("threads", self.threads, 1, 512)
        _check_range("max_reports", self.max_reports, 1, 1_000_000_000)
        _check_range("trusted_proxies", self.trusted_proxies, 0, 10)
        if self.public_url is not None and not _is_public_url(self.public_url):
            raise ConfigError("public_url must be https://host or https://host/path, or with http:")
        if self.host and not _HOST_NAME.fullmatch(self.host):
            raise ConfigError("host must be an address or a name, without http:// and port")
        object.__setattr__(self, "host", _bare(self.host))
        for name in self.trusted_hosts:
            if not _HOST_NAME.fullmatch(name):
                raise ConfigError("trusted_hosts must be names, without http:// and port")
        for origin in self.embedded_by:
            if not _ORIGIN.fullmatch(origin):
                raise ConfigError("embedded_by must be origins such as https://app.example")

    @property
    def database(self) -> Path:
        """The SQLite file."""
        return self.data / "tossup.sqlite3"

    @property
    def uses_folder(self) -> bool:
        """Whether the data rests in the folder, and not in a database elsewhere."""
        return self.database_url is None

    @property
    def place(self) -> str:
        """Where the data rests, for people: no password is in it."""
        if self.database_url is None:
            return str(self.data)
        found = _DATABASE.fullmatch(self.database_url)
        return f"postgresql://{found['place'] if found else ''}"

    @property
    def secure(self) -> bool:
        """Whether browsers reach the server over https."""
        return self.public_url is not None and self.public_url.startswith("https:")

    @property
    def prefix(self) -> str:
        """The path of the public address, such as ``/survey``; empty where it has none."""
        return urlsplit(self.public_url or "").path.rstrip("/")

    @property
    def hosts(self) -> frozenset[str]:
        """Every host name to answer to, without ports, in lower case."""
        public = urlsplit(self.public_url or "").hostname or ""
        named = (*_LOOPBACK, self.host, public, *self.trusted_hosts)
        return frozenset(map(_bare, named)) - _NO_NAMES

    @property
    def is_wildcard(self) -> bool:
        """Whether it listens on every address of the machine, and so under no name of its own."""
        return self.host in _NO_NAMES

    def address(self, port: int, *, is_ipv6: bool = False) -> str:
        """Return where programs on this machine reach the server on a port, as ``http://...``."""
        host = self.host
        if self.is_wildcard:
            # No server is reached under 0.0.0.0 or ::, and requests for those names are refused.
            host = "::1" if is_ipv6 else "127.0.0.1"
        return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"

    @classmethod
    def load(cls, environment: Mapping[str, str] = os.environ, **arguments: object) -> "Config":
        """Return the settings of the environment, overridden by arguments that are not None.

        Raises
        ------
        ConfigError
            If a ``TOSSUP_`` variable looks like a misspelt one, or a value cannot be used. What
            is like no setting is in `ignored_variables`.
        """
        ignored = ignored_variables(environment)
        for variable in ignored:
            _refuse_misspelt(variable, environment[variable])
        known = {name: text for name, text in environment.items() if name not in ignored}
        given: dict[str, object] = {
            setting.name: _parsed(setting.name, text)
            for setting in fields(cls)
            if (text := _given(_variable(setting.name), known)) is not None
        }
        if arguments.get("data") is not None:
            given.pop("database_url", None)
            given.pop("replica_url", None)
        given |= {name: value for name, value in arguments.items() if value is not None}
        return cls(**given)  # type: ignore[arg-type]


def ignored_variables(environment: Mapping[str, str] = os.environ) -> tuple[str, ...]:
    """Return the ``TOSSUP_`` variables of an environment that are no setting of ours, by name.

    >>> ignored_variables({"TOSSUP_PORT": "tcp://10.0.0.11:80", "TOSSUP_THREADS": "8"})
    ('TOSSUP_PORT',)
    """
    known = _known()
    return tuple(
        variable
        for variable, value in sorted(environment.items())
        if variable.startswith(_PREFIX)
        and (variable not in known or _is_service_link(variable, value))
    )


def _is_service_link(variable: str, value: str) -> bool:
    return _SERVICE_LINK.match(f"{variable}={value}") is not None


def _refuse_misspelt(variable: str, value: str) -> None:
    if _is_service_link(variable, value):
        return
    ends = [name.removeprefix(_PREFIX) for name in sorted(_known())]
    near = difflib.get_close_matches(variable.removeprefix(_PREFIX), ends, n=1)
    if near:
        raise ConfigError(
            f"the environment sets {variable}, which is no setting;"
            f" did you mean {_PREFIX}{near[0]}?"
        )


def _bare(host: str) -> str:
    """Return a host as browsers name it, but without the brackets around an IPv6 address.

    >>> _bare("[2001:DB8:0:0::1]"), _bare("Survey.example")
    ('2001:db8::1', 'survey.example')
    """
    bare = host.strip("[]").lower()
    try:
        return str(ip_address(bare))
    except ValueError:
        return bare


def _variable(setting: str) -> str:
    return _PREFIX + setting.upper()


def _known() -> frozenset[str]:
    """Return every variable that the server or a command reads."""
    settings = [_variable(setting.name) for setting in fields(Config)]
    return _OF_COMMANDS.union(settings, [name + _FILE for name in settings])


def _given(variable: str, environment: Mapping[str, str]) -> str | None:
    """Return what a variable says, or the file that it names; None if neither is set."""
    path = environment.get(variable + _FILE)
    if path is None:
        return environment.get(variable)
    if variable in environment:
        raise ConfigError(f"both {variable} and {variable}{_FILE} are set; leave one out")
    try:
        with Path(path).open("rb") as file:
            return file.read(_MAX_FILE_BYTES).decode("utf-8-sig")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it holds no text"
        raise ConfigError(f"{variable}{_FILE} names {path}, which cannot be read: {reason}") from (
            error
        )


def _is_public_url(url: str) -> bool:
    try:
        parts = urlsplit(url)
        host, _port = parts.hostname, parts.port
    except ValueError:
        return False
    rest = parts.query + parts.fragment
    is_path = _PATH_PREFIX.fullmatch(parts.path) is not None
    return (
        parts.scheme in {"http", "https"}
        and bool(host)
        and is_path
        and not rest
        and not re.search(r"[@\s]", url)
    )


def _parsed(name: str, text: str) -> object:
    text = text.strip()
    if not text:
        raise ConfigError(f"{_variable(name)} is set, but empty; give it a value, or unset it")
    if name in {"data", "publisher_key"}:
        return Path(text)
    if name in {"trusted_hosts", "embedded_by"}:
        return tuple(host.strip() for host in text.split(",") if host.strip())
    if name in {"max_reports", "port", "threads", "trusted_proxies"}:
        if not (text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS):
            raise ConfigError(f"{_variable(name)} must be a whole number")
        return int(text)
    return text


def _check_database(name: str, url: str | None) -> None:
    if url is not None and not _DATABASE.fullmatch(url):
        raise ConfigError(
            f"{name} must be postgresql://user@host/name; in names and passwords write @ as %40,"
            " / as %2F, % as %25, a space as %20, and = and & after the ? as %3D and %26"
        )


def _check_range(name: str, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        raise ConfigError(f"{name} ({value}) must be from {low} to {high}")
